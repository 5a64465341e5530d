import type { ClusterPlan } from '@nova-platform/plan';
import type { ReactNode } from 'react';
import { useWords } from '../language.tsx';
import { Roles } from './facts.tsx';

/** Everything that a plan says will exist, as a tree. */
export function PlanTree({ plan }: { plan: ClusterPlan }) {
  const { t, count } = useWords();
  const { nodes, network, api, dns, certificates, modules, services, cluster } = plan;
  const groups = Map.groupBy(nodes, ({ group }) => group);
  const byIssuer = Map.groupBy(certificates, ({ issuer }) => issuer);
  return (
    <div className="nova-plan">
      <Branch title={t({ en: 'Nodes', ru: 'Узлы' })} amount={nodes.length} isOpen>
        {[...groups].map(([group, members]) => (
          <Branch key={group} title={group} amount={members.length} isOpen={nodes.length <= 12}>
            {members.map(({ name, address, externalAddress, roles, cpu, memory, disk, podNetwork }) => (
              <Leaf key={name} title={name}>
                {address}
                {externalAddress !== undefined && ` → ${externalAddress}`} · {cpu} {t({ en: 'CPU', ru: 'ЦП' })},{' '}
                {memory}, {t({ en: 'disk', ru: 'диск' })} {disk} · {t({ en: 'pods', ru: 'поды' })} {podNetwork}{' '}
                <Roles roles={roles} />
              </Leaf>
            ))}
          </Branch>
        ))}
      </Branch>
      <Branch title={t({ en: 'Network', ru: 'Сеть' })}>
        {network.kind === 'sdn' ? (
          <>
            <Leaf title={network.service.name}>
              {network.service.network}, {t({ en: 'gateway', ru: 'шлюз' })} {network.service.gateway}
            </Leaf>
            <Leaf title={network.router.name}>
              SNAT → {network.snat.to}, {t({ en: 'transit', ru: 'транзит' })} {network.router.transitAddress}
            </Leaf>
            {network.published.map(({ name, externalAddress, address, ports = [] }) => (
              <Leaf key={name} title={name}>
                {t({ en: 'published', ru: 'опубликован' })}: {externalAddress} → {address}
                {ports.length > 0 && ` · ${ports.join(', ')}`}
              </Leaf>
            ))}
          </>
        ) : (
          <Leaf title={network.network}>{t({ en: 'exists already', ru: 'уже существует' })}</Leaf>
        )}
      </Branch>
      <Branch title="Kubernetes">
        <Leaf title={t({ en: 'Version', ru: 'Версия' })}>{cluster.kubernetesVersion}</Leaf>
        <Leaf title="API">
          {api.externalAddress}:{api.port}
          {api.fqdn !== undefined && ` · ${api.fqdn}`}
        </Leaf>
        <Leaf title={t({ en: 'Pods and services', ru: 'Поды и службы' })}>
          {services.podNetwork} · {services.serviceNetwork}
        </Leaf>
        <Leaf title="CNI, kube-proxy">
          {cluster.cni}, {cluster.kubeProxyMode}
        </Leaf>
      </Branch>
      <Branch title="DNS">
        <Leaf title={dns.baseDomain}>
          {dns.mode === 'internal'
            ? t({ en: 'answered by Nova DNS', ru: 'отвечает Nova DNS' })
            : t({ en: 'answered by your servers', ru: 'отвечают ваши серверы' })}
        </Leaf>
        {dns.zones.map(({ name, answeredBy }) => (
          <Leaf key={name} title={name}>
            {answeredBy}
          </Leaf>
        ))}
      </Branch>
      <Branch title={t({ en: 'Certificates', ru: 'Сертификаты' })} amount={certificates.length}>
        {[...byIssuer].map(([issuer, issued]) => (
          <Leaf key={issuer} title={issuer}>
            {count(issued.length, {
              en: ['certificate', 'certificates'],
              ru: ['сертификат', 'сертификата', 'сертификатов'],
            })}
          </Leaf>
        ))}
      </Branch>
      <Branch title={t({ en: 'Modules', ru: 'Модули' })} amount={modules.length}>
        {modules.map(({ name, category, needs }) => (
          <Leaf key={name} title={name}>
            {category === 'base' ? t({ en: 'base', ru: 'базовый' }) : t({ en: 'additional', ru: 'дополнительный' })}
            {needs.length > 0 && `, ${t({ en: 'needs', ru: 'нужны' })} ${needs.join(', ')}`}
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
