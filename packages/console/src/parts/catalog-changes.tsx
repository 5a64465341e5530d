import type { CatalogChange } from '../api/client.ts';
import { type PlainKey, useWords } from '../language.tsx';
import './catalog-changes.css';

const kinds: Record<CatalogChange['kind'], { mark: string; text: PlainKey }> = {
  added: { mark: '+', text: 'nodes.changeAdded' },
  changed: { mark: '~', text: 'nodes.changeChanged' },
  refreshed: { mark: '↻', text: 'nodes.changeRestarted' },
  'no longer managed': { mark: '−', text: 'nodes.changeUnmanaged' },
};

/** Resources that a run would change, each with its old and new state. */
export function CatalogChanges({ changes }: { changes: readonly CatalogChange[] }) {
  const { t } = useWords();
  return (
    <ul className="nova-plain nova-changes">
      {changes.map((change) => (
        <li key={JSON.stringify(change)} className="nova-change">
          <div>
            <span className="nova-change-mark" aria-hidden="true">
              {kinds[change.kind].mark}
            </span>
            <code>{change.resource}</code> <span className="nova-quiet">{t(kinds[change.kind].text)}</span>
          </div>
          {change.kind === 'changed' &&
            change.parameters.map(({ parameter, from, to }) => (
              <div key={parameter} className="nova-difference">
                <div className="nova-quiet">{parameter}</div>
                {from !== undefined && <pre className="nova-from">{from}</pre>}
                {to !== undefined && <pre className="nova-to">{to}</pre>}
              </div>
            ))}
          {change.kind === 'refreshed' && <div className="nova-quiet">{change.by.join(', ')}</div>}
        </li>
      ))}
    </ul>
  );
}
