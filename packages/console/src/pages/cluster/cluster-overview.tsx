import type { ClusterPlan } from '@nova-platform/plan';
import { Card, CardBody, CardTitle, ClipboardCopy } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { Health } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Findings } from '../../parts/findings.tsx';
import { PageLink } from '../../parts/link.tsx';
import { Message } from '../../parts/message.tsx';
import { OperationLabel } from '../../parts/states.tsx';
import { ClusterNodes } from './cluster-nodes.tsx';
import './cluster-overview.css';

export function ClusterOverview({ health, plan }: { health: Health; plan: ClusterPlan }) {
  const { t, language } = useWords();
  const { findings, operation, server, hosts, cni, enforcesNetworkPolicies, kubernetesVersion, state } = health;
  return (
    <>
      <Card className={findings.length > 0 ? 'nova-attention' : ''}>
        <CardTitle component="h2">{t('clusters.health')}</CardTitle>
        <CardBody>
          {findings.length > 0 ? (
            <Findings findings={findings} />
          ) : state === 'stopped' ? (
            <p>{t('clusters.machinesStopped')}</p>
          ) : (
            <p className="nova-fine">
              <CheckCircleIcon className="nova-good" /> {t('clusters.noFindings')}
            </p>
          )}
          {operation && (
            <p className="nova-last-operation">
              <Message
                of={operation.state === 'running' ? 'clusters.currentOperation' : 'clusters.lastOperation'}
                parts={{
                  operation: (
                    <>
                      <PageLink to={`/operations/${operation.id}`}>{operation.title[language]}</PageLink>{' '}
                      <OperationLabel operation={{ state: operation.state, isCancelling: false }} />
                    </>
                  ),
                }}
              />
            </p>
          )}
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t('clusters.about')}</CardTitle>
        <CardBody>
          <Facts
            facts={[
              ['Kubernetes', kubernetesVersion],
              [
                'API',
                <ClipboardCopy
                  key="api"
                  variant="inline-compact"
                  hoverTip={t('common.copy')}
                  clickTip={t('common.copied')}
                  copyAriaLabel={t('clusters.copyAddress')}
                >
                  {server}
                </ClipboardCopy>,
              ],
              [t('common.baseDomain'), plan.dns.baseDomain],
              [t('clusters.provider'), plan.cluster.provider],
              [
                t('clusters.podNetwork'),
                `${cni}${enforcesNetworkPolicies ? '' : `, ${t('clusters.noNetworkPolicies')}`}`,
              ],
              [
                t('clusters.controlPlane'),
                t('common.nodeCount', {
                  count: plan.nodes.filter(({ roles }) => roles.includes('control-plane')).length,
                }),
              ],
            ]}
          />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t('common.nodes')}</CardTitle>
        <CardBody>
          <ClusterNodes health={health} plan={plan} />
        </CardBody>
      </Card>
      {hosts.length > 0 && (
        <Card>
          <CardTitle component="h2">{t('clusters.publishedNames')}</CardTitle>
          <CardBody>
            <p>{t('clusters.publishedNamesHint')}</p>
            <pre className="nova-command">{hosts.join('\n')}</pre>
          </CardBody>
        </Card>
      )}
    </>
  );
}
