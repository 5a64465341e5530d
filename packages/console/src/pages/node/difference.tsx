import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { CatalogChange, Difference } from '../../api/client.ts';
import { type Text, useWords } from '../../language.tsx';

export function DifferenceView({ difference: { sinceLastRun, pending } }: { difference: Difference }) {
  const { t } = useWords();
  return (
    <>
      <Changes
        title={t({ en: 'The next run would change', ru: 'Следующий запуск изменит' })}
        nothing={t({
          en: 'Nothing: the node has what was approved for it.',
          ru: 'Ничего: на узле то, что утверждено.',
        })}
        changes={sinceLastRun}
      />
      <Changes
        title={t({ en: 'Not approved yet', ru: 'Ещё не утверждено' })}
        nothing={t({ en: 'Nothing waits for approval.', ru: 'Ничто не ждёт утверждения.' })}
        note={t({
          en: 'This release or newer facts of the node would give it this. It comes with the next time the cluster is applied, and never by itself.',
          ru: 'Это дали бы узлу новый выпуск или новые факты. Само не применится, только при следующем применении кластера.',
        })}
        changes={pending}
      />
    </>
  );
}

const kinds: Record<CatalogChange['kind'], { mark: string; text: Text }> = {
  added: { mark: '+', text: { en: 'is added', ru: 'добавится' } },
  changed: { mark: '~', text: { en: 'changes', ru: 'изменится' } },
  refreshed: { mark: '↻', text: { en: 'is restarted', ru: 'перезапустится' } },
  'no longer managed': { mark: '−', text: { en: 'is no longer managed', ru: 'больше не управляется' } },
};

function Changes({
  title,
  note,
  nothing,
  changes,
}: {
  title: string;
  note?: string;
  nothing: string;
  changes: readonly CatalogChange[];
}) {
  const { t } = useWords();
  return (
    <Card>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        {changes.length === 0 ? (
          <p className="nova-fine">
            <CheckCircleIcon className="nova-good" /> {nothing}
          </p>
        ) : (
          <>
            {note !== undefined && <p className="nova-quiet">{note}</p>}
            <ul className="nova-changes">
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
          </>
        )}
      </CardBody>
    </Card>
  );
}
