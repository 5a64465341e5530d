import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { type Shell, shells } from './scripts.ts';

export const completion = (t: Translate) =>
  buildCommand<Record<never, never>, [shell: Shell], Context>({
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
            brief: t({ en: 'The shell', ru: 'Командная оболочка' }),
            proposeCompletions: () => [...shells],
          },
        ],
      },
    },
    docs: {
      brief: t({ en: 'Print a completion script for your shell', ru: 'Вывести скрипт автодополнения для оболочки' }),
      fullDescription: t({
        en: "bash:  source <(nova-ctl completion bash)\nzsh:   source <(nova-ctl completion zsh)\nfish:  nova-ctl completion fish | source\nPut the line into your shell's start-up file to keep it.",
        ru: 'bash:  source <(nova-ctl completion bash)\nzsh:   source <(nova-ctl completion zsh)\nfish:  nova-ctl completion fish | source\nДобавьте строку в файл запуска оболочки, чтобы она действовала всегда.',
      }),
    },
  });
