import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { CatalogChange, Difference } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { CatalogChanges } from '../../parts/catalog-changes.tsx';

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
            <CatalogChanges changes={changes} />
          </>
        )}
      </CardBody>
    </Card>
  );
}
