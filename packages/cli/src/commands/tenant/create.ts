import { formatted, quantityText } from '@nova-platform/api';
import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';

export interface CreateFlags {
  cpu: string;
  memory: string;
  volumes: string;
  pods: string;
  yes?: boolean;
  output: Output;
}

const quantity = { en: 'an amount such as 4, 500m or 8Gi', ru: 'количество, например 4, 500m или 8Gi' };

export const create = command<CreateFlags, [cluster: string, name: string]>(async function (flags, cluster, tenant) {
  const { io, t, style } = this;
  const { cpu, memory, volumes, output } = flags;
  const pods = Number(flags.pods);
  for (const [flag, value] of Object.entries({ cpu, memory, volumes }))
    if (!formatted('quantity').safeParse(value).success) throw badValue(`--${flag}`, quantity);
  if (!Number.isInteger(pods) || pods < 1) throw badValue('--pods', { en: 'a number from 1', ru: 'число от 1' });

  const plan = [
    t({ en: `The team ${tenant} in ${cluster} gets:`, ru: `Команда ${tenant} в ${cluster} получит:` }),
    ...table([
      [t({ en: '  namespace and service account', ru: '  пространство имён и сервисная учётная запись' }), tenant],
      [
        t({ en: '  rights', ru: '  права' }),
        t({ en: 'administrator of this namespace', ru: 'администратор этого пространства' }),
      ],
      [
        t({ en: '  quota', ru: '  квота' }),
        t({
          en: `${cpu} CPU, ${quantityText(memory).en} memory, ${quantityText(volumes).en} volumes, ${pods} pods`,
          ru: `CPU: ${cpu}, память: ${quantityText(memory).ru}, тома: ${quantityText(volumes).ru}, подов: ${pods}`,
        }),
      ],
    ]),
  ].join('\n');
  if (flags.yes !== true) {
    const data = { cluster, tenant, isDone: false };
    const prompts = await promptsOf(this, output);
    const how = t({
      en: 'Nothing was created. Run the command with --yes to create the team.',
      ru: 'Ничего не создано. Чтобы создать, добавьте --yes.',
    });
    if (!prompts) return { data, text: `${plan}\n\n${how}` };
    io.stderr.write(`${plan}\n\n`);
    if (!(await prompts.yes(t({ en: `Create it in ${cluster}?`, ru: `Создать в ${cluster}?` }))))
      return { data, text: t({ en: 'Nothing was created.', ru: 'Ничего не создано.' }) };
  }
  const body = { cpu, memory, volumes, pods };
  const made = await universeOf(io).client.createTenant({ params: { cluster, tenant }, body });
  const example = t({ en: 'A first example for the team:', ru: 'Первый пример для команды:' });
  return {
    data: { cluster, isDone: true, ...made },
    text: `${style.green('✓')} ${made.objects.join(', ')}\n\n${example}\n\n${made.example}`,
  };
});
