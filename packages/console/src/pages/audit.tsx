import { Button, SearchInput } from '@patternfly/react-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { type AuditEntry, universe } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Loading, Nothing } from '../parts/empty.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Failure } from '../parts/problems.tsx';
import { StateLabel } from '../parts/states.tsx';
import './audit.css';

const pageSize = 100;

export function Audit() {
  const { t, dateTime } = useWords();
  const [typed, setTyped] = useState('');
  const who = useDeferredValue(typed.trim());
  const trail = useInfiniteQuery({
    queryKey: ['audit', who],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) =>
      universe.listAudit({
        query: { limit: pageSize, ...(who !== '' && { who }), ...(pageParam !== undefined && { before: pageParam }) },
      }),
    getNextPageParam: ({ next }) => next,
  });
  const rows = useMemo(() => trail.data?.pages.flatMap(({ entries }) => entries) ?? [], [trail.data]);
  const columns = useMemo(
    (): Column<AuditEntry>[] => [
      { key: 'at', title: t('common.when'), cell: ({ at }) => dateTime(at), width: 1.7 },
      { key: 'who', title: t('audit.user'), cell: ({ who: name }) => <strong>{name}</strong> },
      {
        key: 'credential',
        title: t('audit.credential'),
        cell: ({ credential = '—' }) => (
          <span className="nova-one-line" title={credential}>
            {credential}
          </span>
        ),
        width: 1.4,
      },
      { key: 'from', title: t('audit.source'), cell: ({ from }) => from },
      {
        key: 'action',
        title: t('audit.action'),
        cell: ({ action }) => <code>{action}</code>,
        width: 1.2,
      },
      {
        key: 'target',
        title: t('audit.target'),
        cell: ({ target }) => (
          <span className="nova-one-line" title={target}>
            {target}
          </span>
        ),
        width: 1.6,
      },
      {
        key: 'changes',
        title: t('common.changes'),
        cell: ({ changes = [] }) => {
          const text = changes.map(changeText);
          return (
            <span className="nova-one-line" title={text.join('\n')}>
              {text.join('; ')}
            </span>
          );
        },
        width: 1.8,
      },
      {
        key: 'outcome',
        title: t('audit.outcome'),
        cell: ({ outcome }) => <Outcome status={outcome} />,
      },
    ],
    [t, dateTime],
  );
  return (
    <>
      <PageHead title={t('common.auditLog')} description={t('audit.description')} />
      <PageBody>
        <SearchInput
          aria-label={t('audit.filterByUser')}
          placeholder={t('audit.filterByUser')}
          resetButtonLabel={t('common.clear')}
          value={typed}
          onChange={(_event, value) => setTyped(value)}
          onClear={() => setTyped('')}
          className="nova-who"
        />
        {trail.error && !trail.data && <Failure error={trail.error} />}
        {trail.isPending && <Loading />}
        {trail.data && (
          <DataTable
            label={t('common.auditLog')}
            rows={rows}
            columns={columns}
            rowKey={({ id }) => String(id)}
            empty={<Nothing title={t('audit.noEntries')} />}
          />
        )}
        {trail.hasNextPage && (
          <Button variant="secondary" isLoading={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
            {t('audit.loadEarlier')}
          </Button>
        )}
      </PageBody>
    </>
  );
}

function changeText({ field, before = '—', after = '—' }: NonNullable<AuditEntry['changes']>[number]): string {
  return `${field}: ${before} → ${after}`;
}

function Outcome({ status }: { status: number }) {
  const { t } = useWords();
  if (status < 300) return <StateLabel look="good" text={t('audit.succeeded')} isCompact />;
  if (status === 401 || status === 403)
    return <StateLabel look="bad" text={t('audit.refused', { status })} isCompact />;
  return <StateLabel look="warning" text={t('audit.notDone', { status })} isCompact />;
}
