import { Alert } from '@patternfly/react-core';
import type { Operation } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { PageLink } from '../../parts/link.tsx';
import { alertLabel, ProblemItem } from '../../parts/problems.tsx';
import { OperationLabel } from '../../parts/states.tsx';

/** The newest operation of a machine, while it runs or if it has failed. */
export function CurrentOperation({ operations: [newest] }: { operations: readonly Operation[] }) {
  const { t, language } = useWords();
  if (newest?.state === 'running') {
    return (
      <p role="status" className="nova-fine">
        <OperationLabel operation={newest} />
        <PageLink to={`/operations/${newest.id}`}>{newest.title[language]}</PageLink>
      </p>
    );
  }
  if (newest?.state !== 'failed') return null;
  return (
    <Alert
      variant="danger"
      isInline
      title={t('machines.operationFailed', { operation: newest.title[language] })}
      actionLinks={<PageLink to={`/operations/${newest.id}`}>{t('common.openOperation', { id: newest.id })}</PageLink>}
      {...alertLabel(t)}
    >
      {newest.failure?.problems.map((problem) => (
        <ProblemItem key={JSON.stringify(problem)} problem={problem} />
      ))}
    </Alert>
  );
}
