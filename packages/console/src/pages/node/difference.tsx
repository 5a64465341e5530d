import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { CatalogChange, Difference } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { CatalogChanges } from '../../parts/catalog-changes.tsx';

export function DifferenceView({ difference: { sinceLastRun, pending } }: { difference: Difference }) {
  const { t } = useWords();
  return (
    <>
      <Changes title={t('nodes.catalogChanges')} nothing={t('nodes.noCatalogChanges')} changes={sinceLastRun} />
      <Changes
        title={t('nodes.notApproved')}
        nothing={t('nodes.nothingToApprove')}
        note={t('nodes.notApprovedHint')}
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
