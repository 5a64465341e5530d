import { Alert, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { BanIcon } from '@patternfly/react-icons/dist/esm/icons/ban-icon.js';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { useQuery } from '@tanstack/react-query';
import type { Host } from '../../api/client.ts';
import { hostQuery } from '../../api/machine-queries.ts';
import { type PlainKey, useWords } from '../../language.tsx';
import { Command } from '../../parts/command.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Message } from '../../parts/message.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { alertLabel } from '../../parts/problems.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { Capacity } from '../overview/capacity.tsx';
import './host.css';

export function HostPage() {
  const { t } = useWords();
  const host = useQuery(hostQuery);
  return (
    <>
      <PageHead
        title={t('host.title')}
        state={
          host.data &&
          (host.data.maintenance ? (
            <StateLabel look="warning" text={t('host.inMaintenance')} />
          ) : (
            <StateLabel look="good" icon={<CheckCircleIcon />} text={t('host.works')} />
          ))
        }
      />
      <PageBody>
        <QueryView query={host}>
          {(found) => (
            <>
              <div className="nova-host">
                <Card>
                  <CardTitle component="h2">{t('overview.hostCapacity')}</CardTitle>
                  <CardBody>
                    <Capacity />
                  </CardBody>
                </Card>
                <Card>
                  <CardTitle component="h2">{t('host.virtualization')}</CardTitle>
                  <CardBody>
                    <Virtualization host={found} />
                  </CardBody>
                </Card>
                <Card>
                  <CardTitle component="h2">{t('host.maintenance')}</CardTitle>
                  <CardBody className="nova-stack">
                    <Maintenance maintenance={found.maintenance} />
                  </CardBody>
                </Card>
              </div>
              <Card>
                <CardTitle component="h2">{t('host.kernel')}</CardTitle>
                <CardBody className="nova-stack">
                  <Kernel host={found} />
                </CardBody>
              </Card>
            </>
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

function Virtualization({ host: { hasKvm, processors, load, disk } }: { host: Host }) {
  const { t, number } = useWords();
  return (
    <div className="nova-stack">
      <Alert
        variant={hasKvm ? 'success' : 'warning'}
        isInline
        isPlain
        title={t(hasKvm ? 'host.kvm' : 'host.emulated')}
        {...alertLabel(t)}
      >
        {!hasKvm && t('host.emulatedHint')}
      </Alert>
      <Facts
        columns={2}
        facts={[
          [t('host.processors'), number(processors)],
          [t('host.load'), t('host.loadOf', { load: number(load, 1), total: processors })],
          [t('host.diskLimits'), t(disk.canLimit ? 'host.enforced' : 'host.notEnforced')],
        ]}
      />
    </div>
  );
}

/** Only root on the host starts a maintenance: it stops Universe too. */
function Maintenance({ maintenance }: { maintenance: Host['maintenance'] | undefined }) {
  const { t } = useWords();
  if (!maintenance) {
    return (
      <>
        <p>{t('host.maintenanceText')}</p>
        <div>
          <Command code="nova-ctl host maintenance enter" />
        </div>
        <p className="nova-quiet">{t('host.maintenanceRoot')}</p>
      </>
    );
  }
  const { since, machines } = maintenance;
  return (
    <>
      <p>
        <Message of="host.maintenanceSince" parts={{ when: <Ago at={since} /> }} />
      </p>
      <p>{t('host.startsAgain', { count: machines.length })}</p>
      <div>
        <Command code="nova-ctl host maintenance leave" />
      </div>
    </>
  );
}

const features: Record<Exclude<keyof Host['kernel'], 'release' | 'cgroupVersion'>, PlainKey> = {
  nftables: 'host.nftables',
  iptablesNft: 'host.iptablesNft',
  iptablesLegacy: 'host.iptablesLegacy',
  ipvs: 'host.ipvs',
  bridgeNetfilter: 'host.bridgeNetfilter',
  conntrack: 'host.conntrack',
};

function Kernel({ host: { kernel, inotifyInstances } }: { host: Host }) {
  const { t, number } = useWords();
  return (
    <>
      <Facts
        facts={[
          [t('common.version'), kernel.release],
          ['cgroup', `v${kernel.cgroupVersion}`],
          [t('host.inotify'), number(inotifyInstances)],
        ]}
      />
      <ul className="nova-plain nova-features">
        {Object.entries(features).map(([key, name]) => {
          const isThere = kernel[key as keyof typeof features];
          return (
            <li key={key} className="nova-fine">
              {isThere ? <CheckCircleIcon className="nova-good" /> : <BanIcon className="nova-quiet" />}
              {t(name)} <span className="nova-quiet">{t(isThere ? 'host.available' : 'host.missing')}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
