import { Alert, Button } from '@patternfly/react-core';
import { DownloadIcon } from '@patternfly/react-icons/dist/esm/icons/download-icon.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Operation, universe } from '../api/client.ts';
import { hostObjectOf } from '../api/machine-queries.ts';
import { type LogLine, useOperationLog } from '../api/operation-log.ts';
import { keys, operationChangeQuery, operationQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { LogView } from '../parts/log-view.tsx';
import { OperationObject } from '../parts/operation-object.tsx';
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
import { ChangeList } from './cluster/change-list.tsx';
import { KubeconfigDialog } from './cluster/kubeconfig-dialog.tsx';
import { OperationProgress } from './operation-progress.tsx';

export function OperationPage({ id, tab }: { id: number; tab: string }) {
  const { t } = useWords();
  const operation = useQuery(operationQuery(id));
  const above = [{ title: t('common.operations'), to: '/operations' }];
  if (operation.data !== undefined) return <Shown operation={operation.data} tab={tab} above={above} />;
  return (
    <>
      <PageHead title={t('clusters.operationNumber', { id: String(id) })} above={above} />
      <PageBody>
        <QueryView query={operation}>{() => null}</QueryView>
      </PageBody>
    </>
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
  const { id, title, state, createdAt, endedAt, requestedBy, steps, kind } = operation;
  const log = useOperationLog(id);
  const [step, setStep] = useState<string>();
  const done = steps.filter((each) => each.state === 'done').length;
  const tabs: [key: string, title: string][] = [
    ['steps', t('common.steps')],
    ...(appliesChange(kind) ? [['change', t('operations.change')] as [string, string]] : []),
    ['timeline', t('operations.timeline')],
    ['log', t('operations.log')],
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
              t('operations.number'),
              <span key="number">
                {id} · <code>{kind}</code>
              </span>,
            ],
            [t('operations.target'), <OperationObject key="object" operation={operation} />],
            [t('common.steps'), t('operations.stepsDone', { done, total: steps.length })],
            [t('common.started'), <Ago key="ago" at={createdAt} />],
            [t('operations.requestedBy'), requestedBy],
            [
              state === 'running' ? t('operations.runningFor') : t('operations.duration'),
              <Lasting key="took" from={createdAt} until={endedAt} isRunning={state === 'running'} />,
            ],
          ]}
        />
        {state === 'running' && <OperationProgress operation={operation} />}
        <Outcome operation={operation} />
        <PageTabs label={t('operations.views')} base={`/operations/${id}`} current={tab} tabs={tabs} />
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
        {tab === 'change' && <ApprovedChange id={id} />}
        {tab === 'timeline' && <Timeline operation={operation} />}
        {tab === 'log' && <Log operation={operation} log={log} step={step} onAll={() => setStep(undefined)} />}
      </PageBody>
    </>
  );
}

function ApprovedChange({ id }: { id: number }) {
  const { t } = useWords();
  return (
    <QueryView query={useQuery(operationChangeQuery(id))}>
      {({ change }) =>
        change ? <ChangeList change={change} /> : <p className="nova-quiet">{t('operations.changeUnknown')}</p>
      }
    </QueryView>
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
      label={t('operations.operationLog')}
      lines={lines}
      isGrowing={operation.state === 'running'}
      fileName={`operation-${operation.id}.log`}
      tools={
        step !== undefined && (
          <Button variant="secondary" size="sm" onClick={onAll}>
            {t('operations.onlyStep', { step })}
          </Button>
        )
      }
    />
  );
}

/** Explains a failure, or what stays after a cancellation. */
function Outcome({ operation }: { operation: Operation }) {
  const { t, language } = useWords();
  const { state, failure, steps, kept = [], isCancelling } = operation;
  if (state === 'cancelled' && kept.length > 0) {
    return (
      <Alert variant="warning" isInline title={t('operations.partlyIrreversible')} {...alertLabel(t)}>
        {t('operations.stepsKept', { steps: kept.join(', ') })}
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
          ? t('operations.rollbackFailed', { step: failure.step, title })
          : t('operations.failedAt', { step: failure.step, title })
      }
    >
      {failure.problems.map((problem) => (
        <ProblemItem key={JSON.stringify(problem)} problem={problem} />
      ))}
      <p>{t('operations.failedHint')}</p>
    </Alert>
  );
}

function Actions({ operation }: { operation: Operation }) {
  const { t } = useWords();
  const { may } = useSession();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [isCancelling, setIsCancelling] = useState(false);
  const { id, state } = operation;
  const renew = (changed: Operation) => client.setQueryData(keys.operation(id), changed);
  const resume = useMutation({ mutationFn: () => universe.resumeOperation({ params: { id } }), onSuccess: renew });
  const object = hostObjectOf(operation.lock);
  if (state === 'done' && hasCluster(operation)) return <Next cluster={operation.lock} />;
  if (state === 'done' && object?.kind === 'machine' && operation.kind !== 'machine.delete')
    return <Button onClick={() => go(object.path)}>{t('clusters.openCluster', { name: object.name })}</Button>;
  if (state === 'done' && object?.kind === 'template' && may('admin'))
    return <Button onClick={() => go(`/machines/new?image=${object.name}`)}>{t('machines.create')}</Button>;
  if (!may(object === undefined ? 'operator' : 'admin') || (state !== 'running' && state !== 'failed')) return null;
  return (
    <>
      {resume.error && <Failure error={resume.error} />}
      {state === 'failed' && (
        <Button isLoading={resume.isPending} isDisabled={resume.isPending} onClick={() => resume.mutate()}>
          {t('operations.resume')}
        </Button>
      )}
      {!operation.isCancelling && (
        <Button variant="secondary" isDanger onClick={() => setIsCancelling(true)}>
          {t('operations.cancel')}
        </Button>
      )}
      {isCancelling && (
        <Dialog
          title={t('operations.cancelTitle')}
          action={t('operations.cancelAction')}
          isDangerous
          onClose={() => setIsCancelling(false)}
          onAction={async () => renew(await universe.cancelOperation({ params: { id } }))}
        >
          <p>{t('operations.cancelText')}</p>
        </Dialog>
      )}
    </>
  );
}

const appliesChange = (kind: string) => kind === 'cluster.create' || kind === 'cluster.change';
/** Operations that leave a running cluster. */
const leadToCluster = ['cluster.create', 'cluster.change', 'cluster.start'];

function hasCluster(operation: Operation): operation is Operation & { lock: string } {
  return operation.lock !== undefined && leadToCluster.includes(operation.kind);
}

/** The usual next actions after a cluster was created or changed. */
function Next({ cluster }: { cluster: string }) {
  const { t } = useWords();
  const [, go] = useLocation();
  const [isDownloading, setIsDownloading] = useState(false);
  return (
    <>
      <Button variant="secondary" icon={<DownloadIcon />} onClick={() => setIsDownloading(true)}>
        kubeconfig
      </Button>
      <Button onClick={() => go(`/clusters/${cluster}`)}>{t('clusters.openCluster', { name: cluster })}</Button>
      {isDownloading && <KubeconfigDialog cluster={cluster} onClose={() => setIsDownloading(false)} />}
    </>
  );
}
