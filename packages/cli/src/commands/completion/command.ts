import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { type Shell, shells } from './scripts.ts';

export const completion = (t: Translate) =>
  buildCommand<Record<never, never>, [shell: Shell]>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      positional: {
        kind: 'tuple',
        parameters: [
          {
            parse: (input) => {
              const shell = shells.find((each) => each === input);
              if (shell === undefined)
                throw new Error(t({ en: `one of ${shells.join(', ')}`, ru: `одно из: ${shells.join(', ')}` }));
              return shell;
            },
            placeholder: shells.join('|'),
            brief: t({ en: 'Your shell', ru: 'Ваша командная оболочка' }),
            proposeCompletions: () => [...shells],
          },
        ],
      },
    },
    docs: {
      brief: t({ en: 'Print a completion script for your shell', ru: 'Вывести скрипт автодополнения для оболочки' }),
      fullDescription: t({
        en: `Completes commands, options and names: clusters, node groups, modules, operations, machines, nodes, users. Put
the line into the start-up file of your shell.

  bash:  source <(nova-ctl completion bash)
  zsh:   source <(nova-ctl completion zsh)
  fish:  nova-ctl completion fish | source`,
        ru: `Дополняет команды, параметры и имена: кластеры, группы узлов, модули, операции, машины, узлы, пользователей.
Добавьте строку в файл запуска оболочки.

  bash:  source <(nova-ctl completion bash)
  zsh:   source <(nova-ctl completion zsh)
  fish:  nova-ctl completion fish | source`,
      }),
    },
  });
