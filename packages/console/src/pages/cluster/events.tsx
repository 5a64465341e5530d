import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { KubernetesEvent, Operation } from '../../api/client.ts';
import { kubernetesEventsQuery, operationsQuery } from '../../api/queries.ts';
import { type PlainKey, useWords, type Words } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loading, Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { Failure, textOfProblem } from '../../parts/problems.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { newestFirst } from './event-order.ts';

interface EventRow {
  key: string;
  at: string;
  source: 'universe' | 'kubernetes';
  severity: 'normal' | 'warning';
  object: string;
  /** The operation that the event belongs to. */
  operation?: number;
  reason: string;
  message: string;
  count: number;
}

const shown = ['all', 'warning', 'kubernetes', 'universe'] as const;

/** Events of a cluster, newest first: operations of Universe and events of Kubernetes. */
export function ClusterEvents({ cluster }: { cluster: string }) {
  const words = useWords();
  const { t } = words;
  const [chosen, setChosen] = useState<(typeof shown)[number]>('all');
  const operations = useQuery(operationsQuery({ cluster }));
  const kubernetes = useQuery(kubernetesEventsQuery(cluster));
  const events = useMemo(
    () =>
      newestFirst([
        ...(operations.data ?? []).flatMap((operation) => ofOperation(operation, words)),
        ...(kubernetes.data?.value?.events ?? []).map(ofKubernetes),
      ]),
    [operations.data, kubernetes.data, words],
  );
  const rows = events.filter(({ source, severity }) => chosen === 'all' || chosen === source || chosen === severity);
  const columns = useMemo(
    (): Column<EventRow>[] => [
      { key: 'at', title: t('common.when'), cell: ({ at }) => <Ago at={at} />, width: 1.1 },
      {
        key: 'kind',
        title: t('common.type'),
        cell: ({ severity, reason }) => (
          <StateLabel look={severity === 'warning' ? 'warning' : 'quiet'} text={reason} isCompact />
        ),
        sort: ({ reason }) => reason,
        width: 2,
      },
      {
        key: 'object',
        title: t('clusters.eventObject'),
        cell: ({ object, operation }) =>
          operation === undefined ? object : <PageLink to={`/operations/${operation}`}>{object}</PageLink>,
        sort: ({ object }) => object,
        width: 1.7,
      },
      {
        key: 'message',
        title: t('clusters.eventMessage'),
        cell: ({ message, count }) => (
          <>
            {message}
            {count > 1 && <span className="nova-quiet"> × {count}</span>}
          </>
        ),
        width: 3.2,
      },
    ],
    [t],
  );
  const titles: Record<(typeof shown)[number], string> = {
    all: t('common.all'),
    warning: t('clusters.warnings'),
    kubernetes: 'Kubernetes',
    universe: 'Universe',
  };
  return (
    <>
      <p className="nova-quiet">{t('clusters.eventsHint')}</p>
      {kubernetes.data?.refusal && <Failure error={kubernetes.data.refusal} title={t('clusters.eventsUnavailable')} />}
      <ToggleGroup aria-label={t('clusters.whichEvents')}>
        {shown.map((each) => (
          <ToggleGroupItem
            key={each}
            text={titles[each]}
            buttonId={`events-${each}`}
            isSelected={chosen === each}
            onChange={() => setChosen(each)}
          />
        ))}
      </ToggleGroup>
      {operations.data === undefined || kubernetes.data === undefined ? (
        <Loading />
      ) : (
        <DataTable
          label={t('clusters.events')}
          rows={rows}
          columns={columns}
          rowKey={({ key }) => key}
          text={eventText}
          empty={<Nothing title={t('clusters.noEvents')} />}
          isWhole
        />
      )}
    </>
  );
}

const eventText = ({ object, reason, message }: EventRow) => `${object} ${reason} ${message}`;

function ofKubernetes({ at, severity, object, reason, message, count }: KubernetesEvent): EventRow {
  const key = `${object} ${reason} ${message} ${at}`;
  return { key, at, source: 'kubernetes', severity, object, reason, message, count };
}

const outcomes: Record<Exclude<Operation['state'], 'running'>, PlainKey> = {
  done: 'common.done',
  failed: 'common.failed',
  cancelled: 'common.cancelled',
};

/** The start of an operation, and its outcome. */
function ofOperation(operation: Operation, { t, language }: Words): EventRow[] {
  const { id, title, state, createdAt, endedAt, requestedBy, failure } = operation;
  const about = {
    source: 'universe' as const,
    object: t('clusters.operationNumber', { id: String(id) }),
    operation: id,
    count: 1,
  };
  const started: EventRow = {
    ...about,
    key: `${id} started`,
    at: createdAt,
    severity: 'normal',
    reason: t('common.started'),
    message: `${title[language]} (${requestedBy})`,
  };
  if (state === 'running' || endedAt === undefined) return [started];
  const [problem] = failure?.problems ?? [];
  const ended: EventRow = {
    ...about,
    key: `${id} ended`,
    at: endedAt,
    severity: state === 'failed' ? 'warning' : 'normal',
    reason: t(outcomes[state]),
    message: [title[language], ...(problem ? [textOfProblem(problem, language).message] : [])].join(': '),
  };
  return [ended, started];
}
