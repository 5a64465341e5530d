import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import type { NodeDetails, Report } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Facts, Roles } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { RunLabel, StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

export function NodeOverview({ node, reports }: { node: NodeDetails; reports: readonly Report[] }) {
  const { t, number } = useWords();
  const { name, cluster, roles, address, identity, isAsking, lastRun, agentVersion, seenAt, sinceLastRun, pending } =
    node;
  const identities = {
    valid: t({ en: 'valid', ru: 'действует' }),
    revoked: t({ en: 'revoked', ru: 'отозвано' }),
    none: t({ en: 'none yet', ru: 'ещё нет' }),
  };
  return (
    <>
      <Card>
        <CardTitle component="h2">{t({ en: 'The node', ru: 'Узел' })}</CardTitle>
        <CardBody>
          <Facts
            facts={[
              [
                t({ en: 'Cluster', ru: 'Кластер' }),
                cluster === undefined ? (
                  '—'
                ) : (
                  <PageLink key="c" to={`/clusters/${cluster}`}>
                    {cluster}
                  </PageLink>
                ),
              ],
              [t({ en: 'Roles', ru: 'Роли' }), <Roles key="r" roles={roles} />],
              [t({ en: 'Address', ru: 'Адрес' }), address ?? '—'],
              [t({ en: 'Identity', ru: 'Удостоверение' }), identities[identity]],
              [
                t({ en: 'Agent', ru: 'Агент' }),
                <span key="a">
                  {isAsking ? (
                    <StateLabel look="good" text={t({ en: 'Listens', ru: 'На связи' })} isCompact />
                  ) : (
                    <StateLabel look="quiet" text={t({ en: 'Silent', ru: 'Молчит' })} isCompact />
                  )}{' '}
                  {agentVersion}
                </span>,
              ],
              [t({ en: 'Last seen', ru: 'Последняя связь' }), <Ago key="s" at={seenAt} />],
            ]}
          />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t({ en: 'Configuration', ru: 'Конфигурация' })}</CardTitle>
        <CardBody>
          <Facts
            facts={[
              [
                t({ en: 'Last run', ru: 'Последний запуск' }),
                lastRun ? (
                  <span key="l">
                    <RunLabel status={lastRun.status} /> <Ago at={lastRun.at} />
                  </span>
                ) : (
                  '—'
                ),
              ],
              [
                t({ en: 'It changed', ru: 'Изменено' }),
                lastRun
                  ? t({
                      en: `${lastRun.changed} resources, ${lastRun.failed} failed, in ${number(lastRun.seconds, 1)} s`,
                      ru: `ресурсов: ${lastRun.changed}, сбоев: ${lastRun.failed}, за ${number(lastRun.seconds, 1)} с`,
                    })
                  : '—',
              ],
              [t({ en: 'Drift repaired', ru: 'Исправлено отклонений' }), lastRun ? number(lastRun.corrective) : '—'],
              [
                t({ en: 'The next run would change', ru: 'Следующий запуск изменит' }),
                <PageLink key="n" to={`/nodes/${name}/changes`}>
                  {number(sinceLastRun)}
                </PageLink>,
              ],
              [
                t({ en: 'Not approved yet', ru: 'Ещё не утверждено' }),
                <PageLink key="p" to={`/nodes/${name}/changes`}>
                  {number(pending)}
                </PageLink>,
              ],
            ]}
          />
        </CardBody>
      </Card>
      {reports.length > 0 && (
        <Card>
          <CardTitle component="h2">
            <PageLink to={`/nodes/${name}/reports`}>{t({ en: 'Recent runs', ru: 'Недавние запуски' })}</PageLink>
          </CardTitle>
          <CardBody>
            <RunHistory reports={reports} />
          </CardBody>
        </Card>
      )}
    </>
  );
}

/** A bar for each run, the latest at the right: what it changed at a glance. */
function RunHistory({ reports }: { reports: readonly Report[] }) {
  const { t, dateTime } = useWords();
  const runs = reports.slice(0, 40).toReversed();
  const most = Math.max(1, ...runs.map(({ resources }) => resources.changed + resources.failed));
  return (
    <ol className="nova-history" aria-label={t({ en: 'Runs, the latest last', ru: 'Запуски, последний справа' })}>
      {runs.map(({ id, status, resources, receivedAt }) => {
        const amount = resources.changed + resources.failed;
        const label = `${dateTime(receivedAt)}: ${t({ en: `${resources.changed} changed, ${resources.failed} failed`, ru: `изменено ${resources.changed}, сбоев ${resources.failed}` })}`;
        return (
          <li key={id} title={label}>
            <span
              className={`nova-history-bar nova-history-${status}`}
              style={{ height: `${12 + (amount / most) * 36}px` }}
            />
            <span className="nova-hidden">{label}</span>
          </li>
        );
      })}
    </ol>
  );
}
