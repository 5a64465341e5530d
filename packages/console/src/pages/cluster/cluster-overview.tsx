import type { ClusterPlan } from '@nova-platform/plan';
import { Card, CardBody, CardTitle, ClipboardCopy } from '@patternfly/react-core';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { Health } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Findings } from '../../parts/findings.tsx';
import { PageLink } from '../../parts/link.tsx';
import { OperationLabel } from '../../parts/states.tsx';
import { ClusterNodes } from './cluster-nodes.tsx';

export function ClusterOverview({ health, plan }: { health: Health; plan: ClusterPlan }) {
  const { t, language, count } = useWords();
  const { findings, operation, server, hosts, cni, enforcesNetworkPolicies, kubernetesVersion, state } = health;
  return (
    <>
      <Card className={findings.length > 0 ? 'nova-attention' : ''}>
        <CardTitle component="h2">{t({ en: 'Health', ru: 'Состояние' })}</CardTitle>
        <CardBody>
          {findings.length > 0 ? (
            <Findings findings={findings} />
          ) : state === 'stopped' ? (
            <p>
              {t({
                en: 'Its machines are stopped and keep everything.',
                ru: 'Машины остановлены, всё на них сохраняется.',
              })}
            </p>
          ) : (
            <p className="nova-fine">
              <CheckCircleIcon className="nova-good" /> {t({ en: 'Nothing is wrong.', ru: 'Всё в порядке.' })}
            </p>
          )}
          {operation && (
            <p className="nova-last-operation">
              {operation.state === 'running'
                ? t({ en: 'Right now: ', ru: 'Сейчас: ' })
                : t({ en: 'Last operation: ', ru: 'Последняя операция: ' })}
              <PageLink to={`/operations/${operation.id}`}>{operation.title[language]}</PageLink>{' '}
              <OperationLabel operation={{ state: operation.state, isCancelling: false }} />
            </p>
          )}
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t({ en: 'The cluster', ru: 'Кластер' })}</CardTitle>
        <CardBody>
          <Facts
            facts={[
              ['Kubernetes', kubernetesVersion],
              [
                'API',
                <ClipboardCopy
                  key="api"
                  variant="inline-compact"
                  hoverTip={t({ en: 'Copy', ru: 'Скопировать' })}
                  clickTip={t({ en: 'Copied', ru: 'Скопировано' })}
                  copyAriaLabel={t({ en: 'Copy the address', ru: 'Скопировать адрес' })}
                >
                  {server}
                </ClipboardCopy>,
              ],
              [t({ en: 'Base domain', ru: 'Базовый домен' }), plan.dns.baseDomain],
              [t({ en: 'Provider', ru: 'Провайдер' }), plan.cluster.provider],
              [
                t({ en: 'Pod networking', ru: 'Сеть подов' }),
                `${cni}${enforcesNetworkPolicies ? '' : `, ${t({ en: 'no network policies', ru: 'без сетевых политик' })}`}`,
              ],
              [
                t({ en: 'Control planes', ru: 'Узлы управления' }),
                count(plan.nodes.filter(({ roles }) => roles.includes('control-plane')).length, {
                  en: ['node', 'nodes'],
                  ru: ['узел', 'узла', 'узлов'],
                }),
              ],
            ]}
          />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t({ en: 'Nodes', ru: 'Узлы' })}</CardTitle>
        <CardBody>
          <ClusterNodes health={health} plan={plan} />
        </CardBody>
      </Card>
      {hosts.length > 0 && (
        <Card>
          <CardTitle component="h2">{t({ en: 'Published names', ru: 'Опубликованные имена' })}</CardTitle>
          <CardBody>
            <p>
              {t({
                en: 'Where your DNS server does not resolve these names, add these lines to your hosts file.',
                ru: 'Если ваш сервер DNS не разрешает эти имена, добавьте строки в файл hosts.',
              })}
            </p>
            <pre className="nova-command">{hosts.join('\n')}</pre>
          </CardBody>
        </Card>
      )}
    </>
  );
}
