import { type ChangeLine, isEmpty, viewOf } from '@nova-platform/change/view';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Preview } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { CatalogChanges } from '../../parts/catalog-changes.tsx';
import { Topology } from '../../parts/topology.tsx';
import './change-list.css';

const tones = { '+': 'nova-good', '−': 'nova-bad', '~': '', '!': 'nova-warning' } as const;

/** The changes, and the disruptions that users notice. */
export function ChangeList({ change }: Pick<Preview, 'change'>) {
  const { t, language } = useWords();
  if (isEmpty(change)) return <p className="nova-quiet">{t('clusters.noChanges')}</p>;
  return (
    <div className="nova-change-sections">
      {viewOf(change).map(({ title, lines }) => (
        <section key={title.en} aria-label={title[language]}>
          <h3>{title[language]}</h3>
          <ul className="nova-plain nova-change-list">
            {lines.map((line) => (
              <Line key={JSON.stringify([line.sign, line.subjects, line.text.en])} line={line} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Line({ line: { sign, subjects, text, fields, catalog } }: { line: ChangeLine }) {
  const { t, language } = useWords();
  return (
    <li className={tones[sign]}>
      {sign} <span className="nova-subjects">{subjects.join(', ')}</span>{' '}
      <span className="nova-quiet">{text[language]}</span>
      {fields.map(({ name, before, after }) => (
        <div key={name} className="nova-change-field">
          {name}: <code>{shown(before)}</code> → <code>{shown(after)}</code>
        </div>
      ))}
      {catalog.length > 0 && (
        <details>
          <summary>{t('clusters.details')}</summary>
          <CatalogChanges changes={catalog} />
        </details>
      )}
    </li>
  );
}

/** The cluster after the change, with added and removed nodes marked. */
export function ChangedTopology({ before, preview: { plan, change } }: { before: ClusterPlan; preview: Preview }) {
  const named = (...actions: string[]) =>
    new Set(change.machines.filter(({ action }) => actions.includes(action)).map(({ name }) => name));
  const removed = named('remove');
  return (
    <Topology
      plan={plan}
      added={named('create', 'replace')}
      removed={before.nodes.filter(({ name }) => removed.has(name))}
    />
  );
}

function shown(value: unknown): string {
  if (value === undefined) return '∅';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
