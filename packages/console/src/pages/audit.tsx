import { Button, FormSelect, FormSelectOption, SearchInput } from '@patternfly/react-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { type AuditEntry, universe } from '../api/client.ts';
import { useWords, type Words } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Loading, Nothing } from '../parts/empty.tsx';
import { PageLink } from '../parts/link.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Failure } from '../parts/problems.tsx';
import { StateLabel } from '../parts/states.tsx';
import { type AuditRow, auditSentences, foldPushes, isKnownAction, nameIn, pageOf, periods } from './audit-actions.ts';
import './audit.css';

const pageSize = 100;
const hour = 3600_000;
const noFilter = { who: '', target: '', action: '', since: undefined as string | undefined };

/** Who did what, as sentences; each entry has its details. */
export function Audit() {
  const { t, dateTime } = useWords();
  const [typed, setTyped] = useState(noFilter);
  const filter = useDeferredValue(typed);
  const trail = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => universe.listAudit({ query: { limit: pageSize, ...queryOf(filter, pageParam) } }),
    getNextPageParam: ({ next }) => next,
  });
  const rows = useMemo(() => foldPushes(trail.data?.pages.flatMap(({ entries }) => entries) ?? []), [trail.data]);
  const columns = useMemo(
    (): Column<AuditRow>[] => [
      { key: 'at', title: t('common.when'), cell: (row) => dateTime(newest(row).at), width: 1.4 },
      { key: 'who', title: t('audit.user'), cell: (row) => <strong>{newest(row).who}</strong>, width: 1.2 },
      { key: 'action', title: t('audit.action'), cell: (row) => <Action row={row} />, width: 4 },
      { key: 'outcome', title: t('audit.outcome'), cell: (row) => <Outcome status={newest(row).outcome} /> },
    ],
    [t, dateTime],
  );
  return (
    <>
      <PageHead title={t('common.auditLog')} description={t('audit.description')} />
      <PageBody>
        <Filters typed={typed} onChange={setTyped} />
        {trail.error && !trail.data && <Failure error={trail.error} />}
        {trail.isPending && <Loading />}
        {trail.data && (
          <DataTable
            label={t('common.auditLog')}
            rows={rows}
            columns={columns}
            rowKey={(row) => String(newest(row).id)}
            empty={<Nothing title={t('audit.noEntries')} />}
            isWhole
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

function queryOf({ who, target, action, since }: typeof noFilter, before: number | undefined) {
  const [name, object] = [who.trim(), target.trim()];
  return {
    ...(name !== '' && { who: name }),
    ...(object !== '' && { target: object }),
    ...(action !== '' && { action }),
    ...(since !== undefined && { since }),
    ...(before !== undefined && { before }),
  };
}

function Filters({ typed, onChange }: { typed: typeof noFilter; onChange: (filter: typeof noFilter) => void }) {
  const { t, language } = useWords();
  const [hours, setHours] = useState('');
  const actions = Object.keys(auditSentences)
    .filter(isKnownAction)
    .map((action) => ({ action, title: sentence(action, '…', t) }))
    .toSorted((one, other) => one.title.localeCompare(other.title, language));
  return (
    <div className="nova-filters">
      {(['who', 'target'] as const).map((field) => {
        const label = t(field === 'who' ? 'audit.filterByUser' : 'audit.filterByObject');
        return (
          <SearchInput
            key={field}
            aria-label={label}
            placeholder={label}
            resetButtonLabel={t('common.clear')}
            value={typed[field]}
            onChange={(_event, value) => onChange({ ...typed, [field]: value })}
            onClear={() => onChange({ ...typed, [field]: '' })}
          />
        );
      })}
      <FormSelect
        aria-label={t('audit.action')}
        value={typed.action}
        onChange={(_event, action) => onChange({ ...typed, action })}
      >
        <FormSelectOption value="" label={t('audit.anyAction')} />
        {actions.map(({ action, title }) => (
          <FormSelectOption key={action} value={action} label={title} />
        ))}
      </FormSelect>
      <FormSelect
        aria-label={t('audit.period')}
        value={hours}
        onChange={(_event, chosen) => {
          setHours(chosen);
          // A fixed start, so that later pages belong to the same period.
          const since = chosen === '' ? undefined : new Date(Date.now() - Number(chosen) * hour).toISOString();
          onChange({ ...typed, since });
        }}
      >
        {periods.map(({ hours: length, text }) => (
          <FormSelectOption key={text} value={length === undefined ? '' : String(length)} label={t(text)} />
        ))}
      </FormSelect>
    </div>
  );
}

function newest(row: AuditRow): AuditEntry {
  const entry = row.kind === 'push' ? row.entries[0] : row.entry;
  if (!entry) throw new Error('a row without an entry');
  return entry;
}

function sentence(action: keyof typeof auditSentences, name: string, t: Words['t']): string {
  return t(auditSentences[action] as 'audit.createUser', { name });
}

/** What happened; the details are one click away. */
function Action({ row }: { row: AuditRow }) {
  const { t } = useWords();
  const entries = row.kind === 'push' ? row.entries : [row.entry];
  const { action, target } = newest(row);
  const page = pageOf(target);
  const text =
    row.kind === 'push'
      ? row.images.length > 0
        ? t('audit.pushed', { images: row.images.join(', ') })
        : t('audit.pushedParts', { count: entries.length })
      : isKnownAction(action)
        ? sentence(action, nameIn(target), t)
        : undefined;
  return (
    <details className="nova-audit">
      <summary>
        {text ?? (
          <code>
            {action} {target}
          </code>
        )}
      </summary>
      {entries.map(({ id, credential = '—', from, action: call, target: object, changes = [] }) => (
        <dl key={id}>
          <dt>{t('audit.request')}</dt>
          <dd>
            <code>
              {call} {object}
            </code>
          </dd>
          {changes.length > 0 && (
            <>
              <dt>{t('common.changes')}</dt>
              <dd>
                {changes.map(({ field, before = '—', after = '—' }) => (
                  <div key={field}>
                    {field}: <code>{before}</code> → <code>{after}</code>
                  </div>
                ))}
              </dd>
            </>
          )}
          <dt>{t('audit.credential')}</dt>
          <dd>{credential}</dd>
          <dt>{t('audit.source')}</dt>
          <dd>{from}</dd>
        </dl>
      ))}
      {page !== undefined && <PageLink to={page}>{page.slice(1)}</PageLink>}
    </details>
  );
}

function Outcome({ status }: { status: number }) {
  const { t } = useWords();
  if (status < 300) return <StateLabel look="good" text={t('audit.succeeded')} isCompact />;
  if (status === 401 || status === 403)
    return <StateLabel look="bad" text={t('audit.refused', { status })} isCompact />;
  return <StateLabel look="warning" text={t('audit.notDone', { status })} isCompact />;
}
