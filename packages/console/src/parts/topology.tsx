import { bytesOf } from '@nova-platform/api';
import type { ClusterPlan, PlannedNode } from '@nova-platform/plan';
import { type PlainKey, useWords } from '../language.tsx';
import { shorten } from './shorten.ts';
import './drawing.css';
import './topology.css';

export type NodeState = 'ready' | 'not-ready' | 'stopped' | 'planned';

interface TopologyProps {
  plan: ClusterPlan;
  /** The state of each node; without it, nodes are drawn as planned. */
  states?: ReadonlyMap<string, NodeState>;
  /** Nodes that the change adds or removes. */
  added?: ReadonlySet<string>;
  removed?: readonly PlannedNode[];
  /** Declared parts that are missing, by kind and name: `router demo-router`. */
  absent?: ReadonlySet<string>;
}

const nodeWidth = 228;
const nodeHeight = 76;
const gap = 16;
const side = 24;
const perRow = 4;

/** The networks of a cluster, their routers, and their machines: as planned, and as they are. */
export function Topology(props: TopologyProps) {
  const { plan, states, added = new Set(), removed = [], absent = new Set() } = props;
  const { t } = useWords();
  const { network, nodes, cluster, api } = plan;
  const all = [...nodes, ...removed];
  const columns = Math.min(perRow, Math.max(2, all.length));
  const rows = Math.ceil(all.length / perRow);
  const width = Math.max(680, side * 2 + columns * (nodeWidth + gap) + gap);
  const isSdn = network.kind === 'sdn';
  const networkTop = isSdn ? 214 : 24;
  const networkHeight = 56 + rows * (nodeHeight + gap) + gap;
  const height = networkTop + networkHeight + 20;
  const middle = width / 2;
  const router = { x: middle - 105, y: 118, width: 210, height: 54 };
  const title = t('network.title', {
    cluster: cluster.name,
    nodes: t('common.nodeCount', { count: nodes.length }),
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
    <section className="nova-topology" tabIndex={0} aria-label={title}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: '100%', minWidth: width * 0.75, maxWidth: width * 1.3 }}
        role="img"
        aria-label={title}
      >
        {isSdn && (
          <>
            <path className="nova-wire" d={`M ${width * 0.22} 66 V 92 H ${middle - 40} V ${router.y}`} />
            <path
              className="nova-wire nova-wire-transit"
              d={`M ${width * 0.78} 66 V 92 H ${middle + 40} V ${router.y}`}
            />
            <path className="nova-wire" d={`M ${middle} ${router.y + router.height} V ${networkTop}`} />
            <Box x={width * 0.22 - 120} y={12} width={240} height={54} kind="outside">
              <Lines middle={width * 0.22} top={34} first={t('network.external')} second={network.external.network} />
            </Box>
            <Box x={width * 0.78 - 120} y={12} width={240} height={54} kind="universe">
              <Lines
                middle={width * 0.78}
                top={34}
                first="Universe"
                second={`${network.integration.universe.address} · ${t('common.transit')} ${network.transit.network}`}
              />
            </Box>
            <Box {...router} kind={absent.has(`router ${network.router.name}`) ? 'absent' : 'router'}>
              <Lines
                middle={middle}
                top={router.y + 22}
                first={network.router.name}
                second={`SNAT → ${network.snat.to}`}
              />
            </Box>
            <text className="nova-wire-label" x={middle - 48} y={108} textAnchor="end">
              {network.router.externalAddress}
            </text>
            <text className="nova-wire-label" x={middle + 48} y={108}>
              {network.router.transitAddress}
            </text>
            <text className="nova-wire-label" x={middle + 8} y={202}>
              {network.service.gateway}
            </text>
          </>
        )}
        <Box
          x={side}
          y={networkTop}
          width={width - side * 2}
          height={networkHeight}
          kind={isSdn && absent.has(`network ${network.service.name}`) ? 'absent' : 'network'}
        >
          <text x={side + 16} y={networkTop + 26} className="nova-box-title">
            {isSdn ? network.service.name : cluster.name} · {isSdn ? network.service.network : network.network}
          </text>
          <text x={width - side - 16} y={networkTop + 26} textAnchor="end" className="nova-box-note">
            API {api.externalAddress}:{api.port}
            {absent.has(`api ${api.address}:${api.port}`) && ` · ${t('network.noBackends')}`}
          </text>
          {isSdn && (
            <text x={side + 16} y={networkTop + 44} className="nova-box-note">
              {t('network.isolation')}
            </text>
          )}
          {all.map((node, index) => {
            const row = Math.floor(index / perRow);
            const inRow = Math.min(perRow, all.length - row * perRow);
            const left = middle - (inRow * (nodeWidth + gap) - gap) / 2;
            const x = left + (index % perRow) * (nodeWidth + gap);
            const y = networkTop + 58 + row * (nodeHeight + gap);
            const isRemoved = removed.includes(node);
            const isAbsent = absent.has(`machine ${node.name}`);
            const state = isRemoved
              ? 'removed'
              : added.has(node.name)
                ? 'added'
                : isAbsent
                  ? 'absent'
                  : (states?.get(node.name) ?? 'planned');
            const ports = isSdn ? network.published.find(({ name }) => name === node.name)?.ports : undefined;
            return <Node key={node.name} node={node} x={x} y={y} state={state} ports={ports ?? []} />;
          })}
        </Box>
      </svg>
    </section>
  );
}

type ShownState = NodeState | 'added' | 'removed' | 'absent';

const stateWords: Partial<Record<ShownState, PlainKey>> = {
  ready: 'network.nodeReady',
  'not-ready': 'network.nodeNotReady',
  stopped: 'network.nodeStopped',
  absent: 'network.nodeMissing',
};

interface NodeProps {
  node: PlannedNode;
  x: number;
  y: number;
  state: ShownState;
  /** Ports that are reachable from outside. */
  ports: readonly string[];
}

function Node({ node, x, y, state, ports }: NodeProps) {
  const { t, bytes } = useWords();
  const { name, address, externalAddress, roles, cpu, memory } = node;
  const sign = state === 'added' ? '+ ' : state === 'removed' ? '− ' : '';
  const word = stateWords[state];
  return (
    <g className={`nova-topology-node nova-node-${state}`}>
      <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx={8} />
      <circle cx={x + nodeWidth - 14} cy={y + 15} r={5} />
      <text x={x + 12} y={y + 20} className="nova-box-title">
        {sign}
        {shorten(name, 26)}
      </text>
      <text x={x + 12} y={y + 37} className="nova-box-note">
        {address}
        {externalAddress !== undefined && ` → ${externalAddress}`}
      </text>
      <text x={x + 12} y={y + 52} className="nova-box-note">
        {roles.join(', ')}
      </text>
      <text x={x + 12} y={y + 67} className="nova-box-note">
        {cpu} {t('common.cpu')} · {bytes(bytesOf(memory))}
        {word && ` · ${t(word)}`}
      </text>
      <title>{[name, address, roles.join(', '), ports.join(', ')].filter((part) => part !== '').join(' · ')}</title>
    </g>
  );
}

export function Box({
  x,
  y,
  width,
  height,
  kind,
  children,
}: {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: string;
  children: React.ReactNode;
}) {
  return (
    <g className={`nova-box nova-box-${kind}`}>
      <rect x={x} y={y} width={width} height={height} rx={10} />
      {children}
    </g>
  );
}

export function Lines({ middle, top, first, second }: { middle: number; top: number; first: string; second: string }) {
  return (
    <>
      <text x={middle} y={top} textAnchor="middle" className="nova-box-title">
        {first}
      </text>
      <text x={middle} y={top + 18} textAnchor="middle" className="nova-box-note">
        {second}
      </text>
    </>
  );
}
