import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { HistoryIcon } from '@patternfly/react-icons/dist/esm/icons/history-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationsQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { Nothing } from '../parts/empty.tsx';
import { OperationTable } from '../parts/operation-table.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import './operations.css';

const states = ['all', 'running', 'failed'] as const;

export function Operations() {
  const { t } = useWords();
  const [state, setState] = useState<(typeof states)[number]>('all');
  const operations = useQuery(operationsQuery(state === 'all' ? {} : { state }));
  const titles = {
    all: t('common.all'),
    running: t('operations.filterRunning'),
    failed: t('operations.filterFailed'),
  };
  return (
    <>
      <PageHead title={t('common.operations')} description={t('operations.description')} />
      <PageBody>
        <ToggleGroup aria-label={t('common.state')} className="nova-states">
          {states.map((each) => (
            <ToggleGroupItem
              key={each}
              text={titles[each]}
              buttonId={`state-${each}`}
              isSelected={state === each}
              onChange={() => setState(each)}
            />
          ))}
        </ToggleGroup>
        <QueryView query={operations}>
          {(rows) => (
            <OperationTable
              operations={rows}
              empty={<Nothing icon={HistoryIcon} title={t('operations.noOperations')} />}
            />
          )}
        </QueryView>
      </PageBody>
    </>
  );
}
