import type { ClusterPlan } from '@nova-platform/plan';
import { useQuery } from '@tanstack/react-query';
import { universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useBegun } from './use-begun.ts';

interface ModuleChangeProps {
  cluster: string;
  plan: ClusterPlan;
  name: string;
  isOn: boolean;
  onClose: () => void;
}

/** Enables or disables a module: what would change is shown, and exactly that is done. */
export function ModuleChange({ cluster, plan, name, isOn, onClose }: ModuleChangeProps) {
  const { t } = useWords();
  const begin = useBegun();
  const params = { cluster };
  const modules = { [name]: isOn };
  const preview = useQuery({
    queryKey: ['module', cluster, name, isOn],
    queryFn: () => universe.previewModules({ params, body: { modules } }),
    // What was shown before may not be what would be done now.
    gcTime: 0,
  });
  return (
    <Dialog
      title={
        isOn
          ? t({ en: `Enable ${name} in ${cluster}?`, ru: `Включить ${name} в ${cluster}?` })
          : t({ en: `Disable ${name} in ${cluster}?`, ru: `Выключить ${name} в ${cluster}?` })
      }
      action={isOn ? t({ en: 'Enable', ru: 'Включить' }) : t({ en: 'Disable', ru: 'Выключить' })}
      isDangerous={!isOn}
      isReady={preview.data !== undefined && !preview.isFetching}
      onClose={onClose}
      onAction={async () => {
        if (!preview.data) return;
        const body = { modules, shown: preview.data.shown };
        begin((await universe.changeModules({ params, body })).operation);
      }}
    >
      <QueryView query={preview}>
        {({ plan: after, nodes, machines }) => (
          <Change before={plan} after={after as ClusterPlan} nodes={nodes} machines={machines} />
        )}
      </QueryView>
    </Dialog>
  );
}

interface ChangeProps {
  before: ClusterPlan;
  after: ClusterPlan;
  nodes: readonly { node: string; changes: readonly unknown[] }[];
  machines: readonly { name: string; state: 'missing' | 'stopped' }[];
}

function Change({ before, after, nodes, machines }: ChangeProps) {
  const { t } = useWords();
  const without = (those: ClusterPlan, others: ClusterPlan) =>
    those.modules.filter(({ name }) => !others.modules.some((other) => other.name === name));
  const [added, removed] = [without(after, before), without(before, after)];
  const changed = nodes.filter(({ changes }) => changes.length > 0);
  return (
    <>
      <ul className="nova-change-list" aria-label={t({ en: 'What would change', ru: 'Что изменится' })}>
        {added.map(({ name, needs }) => (
          <li key={name} className="nova-good">
            + {name}{' '}
            {needs.length > 0 && (
              <span className="nova-quiet">
                {t({ en: 'after', ru: 'после' })} {needs.join(', ')}
              </span>
            )}
          </li>
        ))}
        {removed.map(({ name }) => (
          <li key={name} className="nova-bad">
            − {name}{' '}
            <span className="nova-quiet">{t({ en: 'with everything it made', ru: 'со всем, что он создал' })}</span>
          </li>
        ))}
        {machines.map(({ name, state }) => (
          <li key={name}>
            {state === 'missing' ? '+' : '~'} {name}{' '}
            <span className="nova-quiet">
              {state === 'missing'
                ? t({ en: 'its machine would be made', ru: 'будет создана машина' })
                : t({ en: 'its machine would be started', ru: 'машина будет запущена' })}
            </span>
          </li>
        ))}
        {changed.map(({ node, changes }) => (
          <li key={node}>
            ~ {node}{' '}
            <span className="nova-quiet">
              {t({ en: `${changes.length} changes of its catalog`, ru: `изменений в каталоге: ${changes.length}` })}
            </span>
          </li>
        ))}
      </ul>
      {changed.length === 0 && (
        <p className="nova-quiet">
          {t({ en: 'Nothing changes on the nodes themselves.', ru: 'На самих узлах ничего не изменится.' })}
        </p>
      )}
    </>
  );
}
