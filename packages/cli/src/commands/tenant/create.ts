import { formatted } from '@nova-platform/api';
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
    t({ en: `${tenant} in ${cluster} would have:`, ru: `У ${tenant} в ${cluster} будет:` }),
    ...table([
      [t({ en: '  namespace and account', ru: '  пространство имён и учётная запись' }), tenant],
      [
        t({ en: '  rights', ru: '  права' }),
        t({ en: 'administrator of this namespace', ru: 'администратор этого пространства' }),
      ],
      [t({ en: '  quota', ru: '  квота' }), `cpu ${cpu}, memory ${memory}, volumes ${volumes}, pods ${pods}`],
    ]),
  ].join('\n');
  if (flags.yes !== true) {
    const data = { cluster, tenant, isDone: false };
    const prompts = await promptsOf(this, output);
    const how = t({
      en: 'Nothing was done. The same with --yes does it.',
      ru: 'Ничего не сделано. То же с --yes выполнит это.',
    });
    if (!prompts) return { data, text: `${plan}\n\n${how}` };
    io.stderr.write(`${plan}\n\n`);
    if (!(await prompts.yes(t({ en: `Do this for ${cluster}?`, ru: `Выполнить это для ${cluster}?` }))))
      return { data, text: t({ en: 'Nothing was done.', ru: 'Ничего не сделано.' }) };
  }
  const body = { cpu, memory, volumes, pods };
  const made = await universeOf(io).client.createTenant({ params: { cluster, tenant }, body });
  const example = t({ en: 'For the team, to begin with:', ru: 'Команде для начала:' });
  return {
    data: { cluster, isDone: true, ...made },
    text: `${style.green('✓')} ${made.objects.join(', ')}\n\n${example}\n\n${made.example}`,
  };
});
