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

const states = ['all', 'running', 'failed'] as const;

export function Operations() {
  const { t } = useWords();
  const [state, setState] = useState<(typeof states)[number]>('all');
  const operations = useQuery(operationsQuery(state === 'all' ? {} : { state }));
  const titles = {
    all: t({ en: 'All', ru: 'Все' }),
    running: t({ en: 'Running', ru: 'Выполняются' }),
    failed: t({ en: 'Failed', ru: 'Со сбоем' }),
  };
  return (
    <>
      <PageHead
        title={t({ en: 'Operations', ru: 'Операции' })}
        description={t({
          en: 'Everything that was done, the newest first. What failed stays where it is until somebody resumes or cancels it.',
          ru: 'Всё, что делалось, начиная с нового. Операция со сбоем ждёт, пока её не продолжат или не отменят.',
        })}
      />
      <PageBody>
        <ToggleGroup aria-label={t({ en: 'State', ru: 'Состояние' })} className="nova-states">
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
              empty={<Nothing icon={HistoryIcon} title={t({ en: 'No such operation', ru: 'Таких операций нет' })} />}
            />
          )}
        </QueryView>
      </PageBody>
    </>
  );
}
