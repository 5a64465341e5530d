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
      { key: 'at', title: t({ en: 'When', ru: 'Когда' }), cell: ({ at }) => dateTime(at), width: 1.7 },
      { key: 'who', title: t({ en: 'Who', ru: 'Кто' }), cell: ({ who: name }) => <strong>{name}</strong> },
      {
        key: 'credential',
        title: t({ en: 'Credential', ru: 'С чем' }),
        cell: ({ credential = '—' }) => (
          <span className="nova-one-line" title={credential}>
            {credential}
          </span>
        ),
        width: 1.4,
      },
      { key: 'from', title: t({ en: 'From', ru: 'Откуда' }), cell: ({ from }) => from },
      {
        key: 'action',
        title: t({ en: 'Did what', ru: 'Что сделал' }),
        cell: ({ action }) => <code>{action}</code>,
        width: 1.2,
      },
      {
        key: 'target',
        title: t({ en: 'With what', ru: 'С чем' }),
        cell: ({ target }) => (
          <span className="nova-one-line" title={target}>
            {target}
          </span>
        ),
        width: 1.6,
      },
      {
        key: 'changes',
        title: t({ en: 'Changes', ru: 'Изменения' }),
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
        title: t({ en: 'Outcome', ru: 'Итог' }),
        cell: ({ outcome }) => <Outcome status={outcome} />,
      },
    ],
    [t, dateTime],
  );
  return (
    <>
      <PageHead
        title={t({ en: 'Audit trail', ru: 'Журнал аудита' })}
        description={t({
          en: 'Every change and every refused request of a known user, the newest first. Entries cannot be changed or removed.',
          ru: 'Каждое изменение и каждый отказ известному пользователю, начиная с новых. Изменить или удалить записи нельзя.',
        })}
      />
      <PageBody>
        <SearchInput
          aria-label={t({ en: 'Who did it', ru: 'Кто сделал' })}
          placeholder={t({ en: 'Who did it', ru: 'Кто сделал' })}
          resetButtonLabel={t({ en: 'Clear', ru: 'Очистить' })}
          value={typed}
          onChange={(_event, value) => setTyped(value)}
          onClear={() => setTyped('')}
          className="nova-who"
        />
        {trail.error && !trail.data && <Failure error={trail.error} />}
        {trail.isPending && <Loading />}
        {trail.data && (
          <DataTable
            label={t({ en: 'Audit trail', ru: 'Журнал аудита' })}
            rows={rows}
            columns={columns}
            rowKey={({ id }) => String(id)}
            empty={<Nothing title={t({ en: 'Nothing is written of that name', ru: 'По этому имени записей нет' })} />}
          />
        )}
        {trail.hasNextPage && (
          <Button variant="secondary" isLoading={trail.isFetchingNextPage} onClick={() => void trail.fetchNextPage()}>
            {t({ en: 'Earlier entries', ru: 'Более ранние записи' })}
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
  if (status < 300) return <StateLabel look="good" text={t({ en: 'done', ru: 'сделано' })} isCompact />;
  if (status === 401 || status === 403)
    return <StateLabel look="bad" text={t({ en: `refused (${status})`, ru: `отказано (${status})` })} isCompact />;
  return <StateLabel look="warning" text={t({ en: `not done (${status})`, ru: `не сделано (${status})` })} isCompact />;
}
