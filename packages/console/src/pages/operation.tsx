import { Alert, Button } from '@patternfly/react-core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Operation, universe } from '../api/client.ts';
import { type LogLine, useOperationLog } from '../api/operation-log.ts';
import { keys, operationQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { PageLink } from '../parts/link.tsx';
import { LogView } from '../parts/log-view.tsx';
import { OperationTree } from '../parts/operation-tree.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PageTabs } from '../parts/page-tabs.tsx';
import { alertLabel, Failure, ProblemItem } from '../parts/problems.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { OperationLabel } from '../parts/states.tsx';
import { Ago, Lasting } from '../parts/time.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useSession } from '../session.ts';

export function OperationPage({ id, tab }: { id: number; tab: string }) {
  const { t } = useWords();
  const operation = useQuery(operationQuery(id));
  return (
    <QueryView query={operation}>
      {(found) => (
        <Shown
          operation={found}
          tab={tab}
          above={[{ title: t({ en: 'Operations', ru: 'Операции' }), to: '/operations' }]}
        />
      )}
    </QueryView>
  );
}

function Shown({
  operation,
  tab,
  above,
}: {
  operation: Operation;
  tab: string;
  above: { title: string; to: string }[];
}) {
  const { t, language } = useWords();
  const [, go] = useLocation();
  const { id, title, lock, state, createdAt, endedAt, requestedBy, steps, kind } = operation;
  const log = useOperationLog(id);
  const [step, setStep] = useState<string>();
  const done = steps.filter((each) => each.state === 'done').length;
  const tabs: [key: string, title: string][] = [
    ['steps', t({ en: 'Steps', ru: 'Шаги' })],
    ['timeline', t({ en: 'Timeline', ru: 'Хронология' })],
    ['log', t({ en: 'Log', ru: 'Журнал' })],
  ];
  return (
    <>
      <PageHead
        title={title[language]}
        view={tabs.find(([key]) => key === tab)?.[1]}
        state={<OperationLabel operation={operation} />}
        above={above}
        actions={<Actions operation={operation} />}
      />
      <PageBody>
        <Facts
          facts={[
            [
              t({ en: 'Number', ru: 'Номер' }),
              <span key="number">
                {id} · <code>{kind}</code>
              </span>,
            ],
            [
              t({ en: 'Works on', ru: 'Над чем' }),
              lock === undefined ? (
                '—'
              ) : lock.includes('.') ? (
                lock
              ) : (
                <PageLink key="lock" to={`/clusters/${lock}`}>
                  {lock}
                </PageLink>
              ),
            ],
            [
              t({ en: 'Steps', ru: 'Шаги' }),
              t({ en: `${done} of ${steps.length} done`, ru: `выполнено ${done} из ${steps.length}` }),
            ],
            [t({ en: 'Begun', ru: 'Начата' }), <Ago key="ago" at={createdAt} />],
            [t({ en: 'Requested by', ru: 'Запросил' }), requestedBy],
            [
              state === 'running' ? t({ en: 'Takes', ru: 'Длится' }) : t({ en: 'Took', ru: 'Длилась' }),
              <Lasting key="took" from={createdAt} until={endedAt} isRunning={state === 'running'} />,
            ],
          ]}
        />
        <Outcome operation={operation} />
        <PageTabs
          label={t({ en: 'Views of the operation', ru: 'Представления операции' })}
          base={`/operations/${id}`}
          current={tab}
          tabs={tabs}
        />
        {tab === 'steps' && (
          <OperationTree
            operation={operation}
            log={log}
            onLog={(name) => {
              setStep(name);
              go(`/operations/${id}/log`);
            }}
          />
        )}
        {tab === 'timeline' && <Timeline operation={operation} />}
        {tab === 'log' && <Log operation={operation} log={log} step={step} onAll={() => setStep(undefined)} />}
      </PageBody>
    </>
  );
}

function Log({
  operation,
  log,
  step,
  onAll,
}: {
  operation: Operation;
  log: readonly LogLine[];
  step: string | undefined;
  onAll: () => void;
}) {
  const { t, clock } = useWords();
  const wanted = step === undefined ? log : log.filter((line) => line.step === step);
  const lines = wanted.map(({ id, at, step: of, line }) => ({ key: id, mark: `${clock(at)}  ${of}`, text: line }));
  return (
    <LogView
      label={t({ en: 'Log of the operation', ru: 'Журнал операции' })}
      lines={lines}
      isGrowing={operation.state === 'running'}
      fileName={`operation-${operation.id}.log`}
      tools={
        step !== undefined && (
          <Button variant="secondary" size="sm" onClick={onAll}>
            {t({ en: `Only ${step}: show all`, ru: `Только ${step}: показать все` })}
          </Button>
        )
      }
    />
  );
}

/** What came of it, where that needs words. */
function Outcome({ operation }: { operation: Operation }) {
  const { t, language } = useWords();
  const { state, failure, steps, kept = [], isCancelling } = operation;
  if (state === 'cancelled' && kept.length > 0) {
    return (
      <Alert
        variant="warning"
        isInline
        title={t({ en: 'Some of it has no way back', ru: 'Часть сделанного необратима' })}
        {...alertLabel(t)}
      >
        {t({ en: 'What these steps did stays: ', ru: 'Сделанное этими шагами остаётся: ' })}
        {kept.join(', ')}
      </Alert>
    );
  }
  if (state !== 'failed' || !failure) return null;
  const title = steps.find(({ name }) => name === failure.step)?.title[language] ?? failure.step;
  return (
    <Alert
      variant="danger"
      isInline
      {...alertLabel(t)}
      title={
        isCancelling
          ? t({
              en: `It could not be taken back at ${failure.step} (${title})`,
              ru: `Вернуть, как было, не удалось: ${failure.step} (${title})`,
            })
          : t({ en: `It failed at ${failure.step} (${title})`, ru: `Сбой на шаге ${failure.step} (${title})` })
      }
    >
      {failure.problems.map((problem) => (
        <ProblemItem key={JSON.stringify(problem)} problem={problem} />
      ))}
      <p>
        {t({
          en: 'Nothing is tried again by itself. Resume it when the cause is mended, or cancel it.',
          ru: 'Само ничего не повторяется. Продолжите, когда причина устранена, или отмените.',
        })}
      </p>
    </Alert>
  );
}

function Actions({ operation }: { operation: Operation }) {
  const { t } = useWords();
  const { may } = useSession();
  const client = useQueryClient();
  const [isCancelling, setIsCancelling] = useState(false);
  const { id, state } = operation;
  const renew = (changed: Operation) => client.setQueryData(keys.operation(id), changed);
  const resume = useMutation({ mutationFn: () => universe.resumeOperation({ params: { id } }), onSuccess: renew });
  if (!may('operator') || (state !== 'running' && state !== 'failed')) return null;
  return (
    <>
      {resume.error && <Failure error={resume.error} />}
      {state === 'failed' && (
        <Button isLoading={resume.isPending} isDisabled={resume.isPending} onClick={() => resume.mutate()}>
          {t({ en: 'Resume', ru: 'Продолжить' })}
        </Button>
      )}
      {!operation.isCancelling && (
        <Button variant="secondary" isDanger onClick={() => setIsCancelling(true)}>
          {t({ en: 'Cancel', ru: 'Отменить' })}
        </Button>
      )}
      {isCancelling && (
        <Dialog
          title={t({ en: 'Cancel this operation?', ru: 'Отменить операцию?' })}
          action={t({ en: 'Cancel the operation', ru: 'Отменить операцию' })}
          isDangerous
          onClose={() => setIsCancelling(false)}
          onAction={async () => renew(await universe.cancelOperation({ params: { id } }))}
        >
          <p>
            {t({
              en: 'It ends, and what it began is taken back where there is a way back. What stays is told here.',
              ru: 'Она завершится, а начатое вернётся, как было, где это возможно. Что останется, будет показано здесь.',
            })}
          </p>
        </Dialog>
      )}
    </>
  );
}
