import { type ReactNode, useMemo } from 'react';
import type { Operation } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { PageLink } from './link.tsx';
import { OperationObject } from './operation-object.tsx';
import { OperationLabel } from './states.tsx';
import { Ago, Lasting } from './time.tsx';

export function OperationTable({ operations, empty }: { operations: readonly Operation[]; empty: ReactNode }) {
  const { t, language } = useWords();
  const columns = useMemo(
    (): Column<Operation>[] => [
      { key: 'id', title: '№', cell: ({ id }) => id, sort: ({ id }) => id, width: 0.5 },
      {
        key: 'title',
        title: t('operations.operation'),
        cell: ({ id, title }) => <PageLink to={`/operations/${id}`}>{title[language]}</PageLink>,
        sort: ({ title }) => title[language],
        width: 2.4,
      },
      {
        key: 'lock',
        title: t('operations.target'),
        cell: (row) => <OperationObject operation={row} />,
        sort: ({ lock }) => lock ?? '',
        width: 1.1,
      },
      {
        key: 'state',
        title: t('common.state'),
        cell: (row) => <OperationLabel operation={row} />,
        sort: ({ state }) => state,
        width: 1.3,
      },
      {
        key: 'created',
        title: t('common.started'),
        cell: ({ createdAt, requestedBy }) => (
          <>
            <Ago at={createdAt} /> <span className="nova-quiet">{requestedBy}</span>
          </>
        ),
        sort: ({ createdAt }) => createdAt,
        width: 1.7,
      },
      {
        key: 'took',
        title: t('operations.duration'),
        cell: ({ createdAt, endedAt, state }) => (
          <Lasting from={createdAt} until={endedAt} isRunning={state === 'running'} />
        ),
      },
    ],
    [t, language],
  );
  return (
    <DataTable
      label={t('common.operations')}
      rows={operations}
      columns={columns}
      rowKey={operationKey}
      text={operationText}
      empty={empty}
    />
  );
}

const operationKey = ({ id }: Operation) => String(id);
const operationText = ({ id, title, lock = '', kind, requestedBy }: Operation) =>
  `${id} ${title.en} ${title.ru} ${lock} ${kind} ${requestedBy}`;
