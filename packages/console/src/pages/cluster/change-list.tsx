import type { ClusterPlan } from '@nova-platform/plan';
import type { Preview } from '../../api/client.ts';
import { useWords } from '../../language.tsx';

interface ChangeProps {
  before: ClusterPlan;
  preview: Preview;
}

/** Those that are not among others of the same names. */
export function without<T extends { name: string }>(those: readonly T[], others: readonly { name: string }[]): T[] {
  const names = new Set(others.map(({ name }) => name));
  return those.filter(({ name }) => !names.has(name));
}

/** What comes and goes with a change, what happens to nodes that stay, and what is left of the change before. */
export function ChangeList({ before, preview }: ChangeProps) {
  const { t } = useWords();
  const after = preview.plan as ClusterPlan;
  const { machines, nodes, unfinished } = preview;
  const isKept = (name: string) => before.nodes.some((node) => node.name === name);
  return (
    <ul className="nova-change-list" aria-label={t({ en: 'What would change', ru: 'Что изменится' })}>
      {without(after.nodes, before.nodes).map(({ name, address }) => (
        <li key={`node ${name}`} className="nova-good">
          + {name} <span className="nova-quiet">{address}</span>
        </li>
      ))}
      {without(before.nodes, after.nodes).map(({ name }) => (
        <li key={`node ${name}`} className="nova-bad">
          − {name}{' '}
          <span className="nova-quiet">
            {t({
              en: 'its pods move elsewhere, its local volumes are lost',
              ru: 'поды переедут, локальные тома будут потеряны',
            })}
          </span>
        </li>
      ))}
      {without(after.modules, before.modules).map(({ name, needs }) => (
        <li key={`module ${name}`} className="nova-good">
          + {name}{' '}
          {needs.length > 0 && (
            <span className="nova-quiet">
              {t({ en: 'after', ru: 'после' })} {needs.join(', ')}
            </span>
          )}
        </li>
      ))}
      {without(before.modules, after.modules).map(({ name }) => (
        <li key={`module ${name}`} className="nova-bad">
          − {name}{' '}
          <span className="nova-quiet">{t({ en: 'with everything it made', ru: 'со всем, что он создал' })}</span>
        </li>
      ))}
      {machines
        .filter(({ name }) => isKept(name))
        .map(({ name, state }) => (
          <li key={`machine ${name}`}>
            {state === 'missing' ? '+' : '~'} {name}{' '}
            <span className="nova-quiet">
              {state === 'missing'
                ? t({ en: 'its machine would be made', ru: 'будет создана машина' })
                : t({ en: 'its machine would be started', ru: 'машина будет запущена' })}
            </span>
          </li>
        ))}
      {machines.map(
        ({ name, offeredCpu }) =>
          offeredCpu !== undefined && (
            <li key={`size ${name}`}>
              ! {name}{' '}
              <span className="nova-quiet">
                {t({
                  en: `CPU capacity ${offeredCpu}: the host has no more processors`,
                  ru: `ёмкость CPU ${offeredCpu}: больше процессоров на хосте нет`,
                })}
              </span>
            </li>
          ),
      )}
      {nodes
        .filter(({ node, changes }) => changes.length > 0 && isKept(node))
        .map(({ node, changes }) => (
          <li key={`catalog ${node}`}>
            ~ {node}{' '}
            <span className="nova-quiet">
              {t({ en: `${changes.length} changes of its catalog`, ru: `изменений в каталоге: ${changes.length}` })}
            </span>
          </li>
        ))}
      {unfinished !== undefined && (
        <li>
          ~{' '}
          {t({
            en: `operation ${unfinished} was not brought to its end: the rest of it is done`,
            ru: `операция ${unfinished} не доведена до конца: остальное будет сделано`,
          })}
        </li>
      )}
    </ul>
  );
}
