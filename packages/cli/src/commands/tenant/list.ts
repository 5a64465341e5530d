import { formatted, quantityText } from '@nova-platform/api';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { oneLine } from '../../outside.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';

export async function list(this: Context, _flags: OutputFlags, cluster: string): Promise<Result> {
  const { io, t, language, style } = this;
  const { tenants } = await universeOf(io).client.listTenants({ params: { cluster } });
  const data = { cluster, tenants };
  if (tenants.length === 0)
    return { data, text: t({ en: `${cluster} has no teams.`, ru: `В кластере ${cluster} нет команд.` }) };
  const head = [
    t({ en: 'TEAM', ru: 'КОМАНДА' }),
    'CPU',
    t({ en: 'MEMORY', ru: 'ПАМЯТЬ' }),
    t({ en: 'VOLUMES', ru: 'ТОМА' }),
    t({ en: 'PODS', ru: 'ПОДЫ' }),
    t({ en: 'CREATED', ru: 'СОЗДАНА' }),
  ];
  const rows = tenants.map(({ name, quota, createdAt, isBeingRemoved }) => [
    oneLine(name),
    oneLine(quota?.cpu ?? '—'),
    sizeOf(this, quota?.memory),
    sizeOf(this, quota?.volumes),
    String(quota?.pods ?? '—'),
    isBeingRemoved ? style.yellow(t({ en: 'being removed', ru: 'удаляется' })) : ago(createdAt, language),
  ]);
  return { data, text: table([head, ...rows], { width: io.stdout.columns, yielding: 0 }).join('\n') };
}

/** Administrators of the cluster can write other notations, which are shown as they are. */
function sizeOf({ t }: Context, size = '—'): string {
  return formatted('quantity').safeParse(size).success ? t(quantityText(size)) : oneLine(size);
}
