import type { PlannedNode } from '@nova-platform/plan';
import { type NodeInput, oncePerPlan } from '../../node.ts';
import { file, piece, type Resource } from '../../resource.ts';
import { lines } from '../text.ts';
import { running, startedAtBoot, unitFile } from '../unit.ts';

const script = '/usr/local/lib/nova/pod-routes';

/**
 * The pod network with CNI `basic`: a bridge on every node with the node's pod CIDR, and routes to the pod CIDRs of the
 * other nodes. Traffic to destinations outside the cluster is masqueraded as the node's address.
 */
export function podNetwork({ plan, node }: NodeInput): Resource[] {
  const { podNetwork: all, serviceNetwork } = plan.services;
  const nodeNetwork = plan.declared.clusterConfiguration.nodeNetwork;
  const { networks, commands } = routesOf(plan);
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
# Managed by Nova: local changes are overwritten.
set -eu
for route in $(ip -o route show proto 99 | awk '{ print $1 }'); do
  case " ${without(networks, node.podNetwork)} " in
    *" $route "*) ;;
    *) ip route delete "$route" proto 99 ;;
  esac
done
${without(commands, commandOf(node))}
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

const commandOf = ({ podNetwork: network, address }: PlannedNode): string =>
  `ip route replace ${network} via ${address} proto 99`;

/** For all nodes of a plan. Each text starts and ends with its separator. */
const routesOf = oncePerPlan(({ nodes }) => ({
  networks: ` ${nodes.map(({ podNetwork: network }) => network).join(' ')} `,
  commands: `\n${nodes.map(commandOf).join('\n')}\n`,
}));

function without(all: string, own: string): string {
  const [separator = ''] = all;
  return all.replace(separator + own + separator, separator).slice(1, -1);
}
