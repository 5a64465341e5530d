import type { NodeInput } from '../../node.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { lines } from '../text.ts';
import { running, startedAtBoot, unitFile } from '../unit.ts';

const script = '/usr/local/lib/nova/pod-routes';

/**
 * The network of pods, CNI `basic`: a bridge on every node with the node's own part of the pod network, and routes to
 * the parts of the others. Toward anything outside the cluster pods have their node's address.
 */
export function podNetwork({ plan, node }: NodeInput): Resource[] {
  const { podNetwork: all, serviceNetwork } = plan.services;
  const nodeNetwork = plan.declared.clusterConfiguration.nodeNetwork;
  const others = plan.nodes.filter(({ name }) => name !== node.name);
  const bridge = file('/etc/cni/net.d/10-nova.conflist', {
    content: `${JSON.stringify(
      {
        cniVersion: '1.0.0',
        name: 'nova',
        plugins: [
          {
            type: 'bridge',
            bridge: 'cni0',
            isGateway: true,
            hairpinMode: true,
            ipMasq: false,
            ipam: {
              type: 'host-local',
              ranges: [[{ subnet: node.podNetwork }]],
              routes: [{ dst: '0.0.0.0/0' }],
            },
          },
          { type: 'portmap', capabilities: { portMappings: true } },
        ],
      },
      null,
      2,
    )}\n`,
    mode: '0644',
  });
  const routes = file(script, {
    content: `#!/bin/sh
# Kept by Nova: changes made here are undone.
set -eu
for route in $(ip -o route show proto 99 | awk '{ print $1 }'); do
  case " ${others.map(({ podNetwork: network }) => network).join(' ')} " in
    *" $route "*) ;;
    *) ip route delete "$route" proto 99 ;;
  esac
done
${others.map((other) => `ip route replace ${other.podNetwork} via ${other.address} proto 99`).join('\n')}
nft -f - <<'RULES'
table ip nova-pods
delete table ip nova-pods
table ip nova-pods {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${node.podNetwork} ip daddr { ${[all, serviceNetwork, nodeNetwork].join(', ')} } return
    ip saddr ${node.podNetwork} masquerade
  }
}
RULES
`,
    mode: '0755',
  });
  const definition = unitFile(
    'nova-pod-routes.service',
    lines(
      '[Unit]',
      'Description=Nova: routes of pods',
      '',
      '[Service]',
      'Type=oneshot',
      'RemainAfterExit=yes',
      `ExecStart=${script}`,
    ),
  );
  return piece(
    'pod-network',
    bridge,
    routes,
    definition,
    startedAtBoot('nova-pod-routes.service'),
    running('nova-pod-routes', { subscribe: [routes, definition] }),
  );
}
