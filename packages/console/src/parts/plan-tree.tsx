import { bytesOf } from '@nova-platform/api';
import { machineKindText } from '@nova-platform/change/view';
import type { ClusterPlan } from '@nova-platform/plan';
import type { ReactNode } from 'react';
import { useWords } from '../language.tsx';
import { Roles } from './facts.tsx';
import './plan-tree.css';

/** Everything that a plan declares, as a tree. */
export function PlanTree({ plan }: { plan: ClusterPlan }) {
  const { t, language, bytes } = useWords();
  const { nodes, network, api, dns, certificates, modules, services, cluster } = plan;
  const groups = Map.groupBy(nodes, ({ group }) => group);
  const byIssuer = Map.groupBy(certificates, ({ issuer }) => issuer);
  return (
    <div className="nova-plan">
      <Branch title={t('common.nodes')} amount={nodes.length} isOpen>
        {[...groups].map(([group, members]) => (
          <Branch key={group} title={group} amount={members.length} isOpen={nodes.length <= 12}>
            {members.map(({ name, address, externalAddress, roles, machineKind, cpu, memory, disk, podNetwork }) => (
              <Leaf key={name} title={name}>
                {address}
                {externalAddress !== undefined && ` → ${externalAddress}`} ·{' '}
                {machineKind && `${machineKindText(machineKind)[language]} · `}
                {cpu} {t('common.cpu')}, {bytes(bytesOf(memory))}, {t('plan.disk')} {bytes(bytesOf(disk))} ·{' '}
                {t('plan.pods')} {podNetwork} <Roles roles={roles} />
              </Leaf>
            ))}
          </Branch>
        ))}
      </Branch>
      <Branch title={t('common.network')}>
        {network.kind === 'sdn' ? (
          <>
            <Leaf title={network.service.name}>
              {network.service.network}, {t('plan.gateway')} {network.service.gateway}
            </Leaf>
            <Leaf title={network.router.name}>
              SNAT → {network.snat.to}, {t('common.transit')} {network.router.transitAddress}
            </Leaf>
            {network.published.map(({ name, externalAddress, address, ports = [] }) => (
              <Leaf key={name} title={name}>
                {t('plan.published')}: {externalAddress} → {address}
                {ports.length > 0 && ` · ${ports.join(', ')}`}
              </Leaf>
            ))}
          </>
        ) : (
          <Leaf title={network.network}>{t('plan.networkExists')}</Leaf>
        )}
      </Branch>
      <Branch title="Kubernetes">
        <Leaf title={t('common.version')}>{cluster.kubernetesVersion}</Leaf>
        <Leaf title="API">
          {api.externalAddress}:{api.port}
          {api.fqdn !== undefined && ` · ${api.fqdn}`}
        </Leaf>
        <Leaf title={t('plan.podsAndServices')}>
          {services.podNetwork} · {services.serviceNetwork}
        </Leaf>
        <Leaf title="CNI, kube-proxy">
          {cluster.cni}, {cluster.kubeProxyMode}
        </Leaf>
      </Branch>
      <Branch title="DNS">
        <Leaf title={dns.baseDomain}>{dns.mode === 'internal' ? t('plan.dnsInternal') : t('plan.dnsExternal')}</Leaf>
        {dns.zones.map(({ name, answeredBy }) => (
          <Leaf key={name} title={name}>
            {answeredBy}
          </Leaf>
        ))}
      </Branch>
      <Branch title={t('common.certificates')} amount={certificates.length}>
        {[...byIssuer].map(([issuer, issued]) => (
          <Leaf key={issuer} title={issuer}>
            {t('common.certificateCount', { count: issued.length })}
          </Leaf>
        ))}
      </Branch>
      <Branch title={t('common.modules')} amount={modules.length}>
        {modules.map(({ name, category, needs }) => (
          <Leaf key={name} title={name}>
            {category === 'base' ? t('common.baseModule') : t('common.additionalModule')}
            {needs.length > 0 && `, ${t('plan.needs')} ${needs.join(', ')}`}
          </Leaf>
        ))}
      </Branch>
    </div>
  );
}

function Branch({
  title,
  amount,
  isOpen = false,
  children,
}: {
  title: string;
  amount?: number;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <details className="nova-branch" open={isOpen}>
      <summary>
        {title}
        {amount !== undefined && <span className="nova-badge">{amount}</span>}
      </summary>
      <div className="nova-branch-inner">{children}</div>
    </details>
  );
}

function Leaf({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="nova-leaf">
      <span className="nova-leaf-title">{title}</span>
      <span className="nova-leaf-text">{children}</span>
    </div>
  );
}
