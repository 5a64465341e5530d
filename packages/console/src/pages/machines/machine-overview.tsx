import { Alert, Card, CardBody, CardTitle } from '@patternfly/react-core';
import type { MachineDetails } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { Message } from '../../parts/message.tsx';
import { Meter } from '../../parts/meter.tsx';
import { alertLabel } from '../../parts/problems.tsx';
import { Ago } from '../../parts/time.tsx';
import { mebibyte } from './machine-columns.tsx';
import { kindNames } from './machine-state.tsx';
import './machine-overview.css';

export function MachineOverview({ machine }: { machine: MachineDetails }) {
  const { t, bytes } = useWords();
  const { kind, image, imageDigest, network, address, mac, createdAt, cluster, cpu, untilRestart } = machine;
  const memory = bytes(machine.memoryMebibytes * mebibyte);
  return (
    <>
      {untilRestart && (
        <Alert
          variant="info"
          isInline
          title={t('machines.untilRestart', {
            cpu: untilRestart.cpu,
            memory: bytes(untilRestart.memoryMebibytes * mebibyte),
          })}
          {...alertLabel(t)}
        >
          {t('machines.afterRestart', { cpu, memory })}
        </Alert>
      )}
      <div className="nova-machine-cards">
        <Card>
          <CardTitle component="h2">{t('nodes.about')}</CardTitle>
          <CardBody>
            <Facts
              columns={2}
              facts={[
                [t('machines.kind'), t(kindNames[kind])],
                [
                  t('common.image'),
                  <span key="image" title={imageDigest}>
                    {image}
                  </span>,
                ],
                [
                  t('common.network'),
                  network === undefined ? (
                    t('machines.noNetwork')
                  ) : (
                    <PageLink key="network" to={`/networks/${network}`}>
                      {network}
                    </PageLink>
                  ),
                ],
                [t('common.address'), address ?? '—'],
                [t('machines.mac'), mac ?? '—'],
                [t('machines.createdAt'), <Ago key="created" at={createdAt} />],
                ...(cluster === undefined
                  ? []
                  : [
                      [
                        t('common.cluster'),
                        <PageLink key="cluster" to={`/clusters/${cluster}`}>
                          {cluster}
                        </PageLink>,
                      ] as const,
                    ]),
              ]}
            />
          </CardBody>
        </Card>
        <Card>
          <CardTitle component="h2">{t('machines.size')}</CardTitle>
          <CardBody>
            <Usage machine={machine} />
          </CardBody>
        </Card>
        <Card>
          <CardTitle component="h2">{t('machines.updates')}</CardTitle>
          <CardBody>
            <Updates updates={machine.updates} />
          </CardBody>
        </Card>
      </div>
    </>
  );
}

function Usage({ machine }: { machine: MachineDetails }) {
  const { t, bytes } = useWords();
  const { cpu, usage, state, diskMebibytes, isDiskLimited, untilRestart } = machine;
  const memory = (untilRestart?.memoryMebibytes ?? machine.memoryMebibytes) * mebibyte;
  const disk = diskMebibytes === undefined ? undefined : diskMebibytes * mebibyte;
  const isRunning = state === 'running' && usage !== undefined;
  return (
    <div className="nova-meters">
      <p>
        {t('common.cpu')}: <strong>{untilRestart?.cpu ?? cpu}</strong>
      </p>
      {isRunning ? (
        <Meter
          title={t('overview.memory')}
          share={usage.memory / memory}
          label={t('overview.used', { used: bytes(usage.memory), total: bytes(memory) })}
        />
      ) : (
        <p>
          {t('overview.memory')}: <strong>{bytes(memory)}</strong>
        </p>
      )}
      {disk !== undefined && usage ? (
        <Meter
          title={t('overview.disk')}
          share={usage.disk / disk}
          label={t('overview.used', { used: bytes(usage.disk), total: bytes(disk) })}
        />
      ) : (
        <p>
          {t('overview.disk')}: <strong>{disk === undefined ? t('machines.diskOfHost') : bytes(disk)}</strong>
        </p>
      )}
      {disk !== undefined && !isDiskLimited && <p className="nova-warning">{t('machines.diskNotLimited')}</p>}
    </div>
  );
}

function Updates({ updates }: { updates: MachineDetails['updates'] | undefined }) {
  const { t } = useWords();
  if (!updates) {
    return (
      <p className="nova-quiet">
        <Message of="overview.updatesNotChecked" />
      </p>
    );
  }
  const { all, security, checkedAt } = updates;
  return (
    <>
      {all.length === 0 && <p>{t('machines.noUpdates')}</p>}
      {security.length > 0 && (
        <p className="nova-warning">
          {t('clusters.missingUpdates', { count: security.length })}: {security.join(', ')}
        </p>
      )}
      {all.length > security.length && <p>{t('machines.otherUpdates', { count: all.length - security.length })}</p>}
      {all.length > 0 && <p className="nova-quiet">{t('machines.updatesHint')}</p>}
      <p className="nova-quiet">
        <Message of="overview.checkedAt" parts={{ when: <Ago at={checkedAt} /> }} />
      </p>
    </>
  );
}
