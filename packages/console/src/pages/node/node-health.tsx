import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Health, KubernetesNode } from '../../api/client.ts';
import { kubernetesNodeQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loading, Nothing } from '../../parts/empty.tsx';
import { Findings } from '../../parts/findings.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Failure } from '../../parts/problems.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { findingsOf } from './node-findings.ts';
import './node-health.css';

interface NodeHealthProps {
  name: string;
  cluster: string;
  health: Health | undefined;
}

/** What Kubernetes and Universe report about a node: findings, conditions, resources and pods. */
export function NodeHealth({ name, cluster, health }: NodeHealthProps) {
  const { t } = useWords();
  const { data: found } = useQuery(kubernetesNodeQuery(cluster, name));
  const findings = findingsOf(health?.findings ?? [], name);
  const own = health?.nodes.find((node) => node.name === name);
  const node = found?.value?.node;
  return (
    <>
      <Card className={findings.length > 0 ? 'nova-attention' : ''}>
        <CardTitle component="h2">{t('nodes.health')}</CardTitle>
        <CardBody>
          {health === undefined ? (
            <Loading lines={2} />
          ) : findings.length > 0 ? (
            <Findings findings={findings} />
          ) : own?.isReady === true ? (
            <p className="nova-fine">
              <CheckCircleIcon className="nova-good" /> {t('clusters.noFindings')}
            </p>
          ) : (
            <p>{t(own?.machine === 'stopped' ? 'nodes.machineStopped' : 'nodes.stateUnknown')}</p>
          )}
          {node?.isCordoned === true && <p className="nova-warning">{t('nodes.cordoned')}</p>}
        </CardBody>
      </Card>
      {found?.refusal && <Failure error={found.refusal} title={t('nodes.kubernetesUnavailable')} />}
      {found?.value && !node && <p className="nova-quiet">{t('nodes.notJoined')}</p>}
      {node && <InKubernetes node={node} />}
    </>
  );
}

function InKubernetes({ node: { conditions, allocatable, requested, used, pods } }: { node: KubernetesNode }) {
  const { t, number, bytes } = useWords();
  const cpu = (amount: number) => `${number(amount, 1)} ${t('common.cpu')}`;
  const notReady = conditions.some(({ type, isGood }) => type === 'Ready' && !isGood);
  return (
    <>
      <div className="nova-halves">
        <Card>
          <CardTitle component="h2">{t('nodes.conditions')}</CardTitle>
          <CardBody>
            <ul className="nova-plain nova-conditions">
              {conditions.map(({ type, isMet, isGood, message }) => (
                <li key={type}>
                  {isGood ? (
                    <CheckCircleIcon className="nova-good" role="img" aria-label={t('nodes.conditionGood')} />
                  ) : (
                    <ExclamationCircleIcon className="nova-bad" role="img" aria-label={t('nodes.conditionBad')} />
                  )}
                  <span>
                    <strong>{type}</strong> {isMet ? t('declare.yes') : t('declare.no')}
                    {!isGood && message !== '' && <div className="nova-quiet">{message}</div>}
                  </span>
                </li>
              ))}
            </ul>
          </CardBody>
        </Card>
        <Card>
          <CardTitle component="h2">{t('common.resources')}</CardTitle>
          <CardBody className="nova-stack">
            <Meter
              title={t('nodes.cpuRequested')}
              share={requested.cpu / allocatable.cpu}
              label={t('common.doneOf', { done: number(requested.cpu, 1), total: cpu(allocatable.cpu) })}
            />
            <Meter
              title={t('nodes.memoryRequested')}
              share={requested.memoryBytes / allocatable.memoryBytes}
              label={t('common.doneOf', {
                done: bytes(requested.memoryBytes),
                total: bytes(allocatable.memoryBytes),
              })}
            />
            {used ? (
              <>
                <Meter
                  title={t('nodes.cpuUsed')}
                  share={used.cpu / allocatable.cpu}
                  label={t('common.doneOf', { done: number(used.cpu, 1), total: cpu(allocatable.cpu) })}
                />
                <Meter
                  title={t('nodes.memoryUsed')}
                  share={used.memoryBytes / allocatable.memoryBytes}
                  label={t('common.doneOf', { done: bytes(used.memoryBytes), total: bytes(allocatable.memoryBytes) })}
                />
              </>
            ) : (
              <p className="nova-quiet">{t('nodes.usageUnknown')}</p>
            )}
          </CardBody>
        </Card>
      </div>
      <Card>
        <CardTitle component="h2">{t('nodes.pods', { count: pods.length, most: allocatable.pods })}</CardTitle>
        <CardBody>
          {notReady && <p className="nova-warning">{t('nodes.podsOutdated')}</p>}
          <Pods pods={pods} />
        </CardBody>
      </Card>
    </>
  );
}

type Pod = KubernetesNode['pods'][number];

function Pods({ pods }: { pods: readonly Pod[] }) {
  const { t, number } = useWords();
  const columns = useMemo(
    (): Column<Pod>[] => [
      { key: 'name', title: t('common.name'), cell: ({ name }) => name, sort: ({ name }) => name, width: 2.4 },
      {
        key: 'state',
        title: t('common.state'),
        cell: ({ phase, isReady, reason }) => (
          <>
            <StateLabel look={isReady ? 'good' : phase === 'Succeeded' ? 'quiet' : 'bad'} text={phase} isCompact />
            {reason !== undefined && <div className="nova-quiet">{reason}</div>}
          </>
        ),
        width: 1.8,
      },
      {
        key: 'namespace',
        title: t('nodes.namespace'),
        cell: ({ namespace }) => namespace,
        sort: ({ namespace }) => namespace,
        width: 1.4,
      },
      {
        key: 'restarts',
        title: t('nodes.restarts'),
        cell: ({ restarts }) => number(restarts),
        sort: ({ restarts }) => restarts,
      },
      {
        key: 'started',
        title: t('nodes.podStarted'),
        cell: ({ startedAt }) => <Ago at={startedAt} />,
        sort: ({ startedAt }) => startedAt ?? '',
        width: 1.2,
      },
    ],
    [t, number],
  );
  return (
    <DataTable
      label={t('nodes.podTable')}
      rows={pods}
      columns={columns}
      rowKey={({ namespace, name }) => `${namespace}/${name}`}
      {...(pods.length > 10 && { text: podText })}
      empty={<Nothing title={t('nodes.noPods')} />}
      isWhole
    />
  );
}

const podText = ({ namespace, name, phase, reason = '' }: Pod) => `${namespace} ${name} ${phase} ${reason}`;
