import type { NetworkDetails } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { shorten } from '../../parts/shorten.ts';
import { Box, Lines } from '../../parts/topology.tsx';
import { stateNames } from '../machines/machine-state.tsx';

const tile = { width: 228, height: 58, gap: 16 };
const perRow = 4;
/** More machines are only counted: the list has them. */
const most = 24;
const side = 24;
const boxTop = 196;

/** A network with its router and its machines, as OVN has them. */
export function NetworkDrawing({ network }: { network: NetworkDetails }) {
  const { t } = useWords();
  const { name, router, machines, ports } = network;
  const portOf = (of: string) => router.ports.find((port) => port.network === of)?.address;
  const snat = router.nat.find(({ type }) => type === 'snat');
  const shown = machines.slice(0, most);
  const rest = machines.length - shown.length;
  const rows = Math.max(1, Math.ceil(shown.length / perRow));
  const columns = Math.min(perRow, Math.max(2, shown.length));
  const width = Math.max(680, side * 2 + columns * (tile.width + tile.gap) + tile.gap);
  const boxHeight = 56 + rows * (tile.height + tile.gap) + (rest > 0 ? 26 : 0);
  const middle = width / 2;
  const at = { x: middle - 120, y: 100, width: 240, height: 54 };
  const title = t('network.drawing', { name, count: machines.length });
  const external = portOf('external');
  const transit = portOf('transit');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
    <section className="nova-topology" tabIndex={0} aria-label={title}>
      <svg
        viewBox={`0 0 ${width} ${boxTop + boxHeight + 20}`}
        style={{ width: '100%', minWidth: width * 0.75, maxWidth: width * 1.3 }}
        role="img"
        aria-label={title}
      >
        <path className="nova-wire" d={`M ${width * 0.22} 54 V 76 H ${middle - 40} V ${at.y}`} />
        <path className="nova-wire nova-wire-transit" d={`M ${width * 0.78} 54 V 76 H ${middle + 40} V ${at.y}`} />
        <path className="nova-wire" d={`M ${middle} ${at.y + at.height} V ${boxTop}`} />
        <Box x={width * 0.22 - 120} y={12} width={240} height={44} kind="outside">
          <Lines middle={width * 0.22} top={30} first={t('network.external')} second={external ?? '—'} />
        </Box>
        <Box x={width * 0.78 - 120} y={12} width={240} height={44} kind="universe">
          <Lines middle={width * 0.78} top={30} first="Universe" second={`${t('common.transit')} ${transit ?? '—'}`} />
        </Box>
        <Box {...at} kind="router">
          <Lines
            middle={middle}
            top={at.y + 22}
            first={shorten(router.name, 30)}
            second={snat ? `SNAT → ${snat.externalAddress}` : t('network.router')}
          />
        </Box>
        <text className="nova-wire-label" x={middle + 8} y={boxTop - 14}>
          {portOf(name)}
        </text>
        <Box x={side} y={boxTop} width={width - side * 2} height={boxHeight} kind="network">
          <text x={side + 16} y={boxTop + 26} className="nova-box-title">
            {name} · {network.network}
          </text>
          {shown.map((machine, index) => {
            const row = Math.floor(index / perRow);
            const inRow = Math.min(perRow, shown.length - row * perRow);
            const left = middle - (inRow * (tile.width + tile.gap) - tile.gap) / 2;
            const x = left + (index % perRow) * (tile.width + tile.gap);
            const y = boxTop + 42 + row * (tile.height + tile.gap);
            const isUp = ports.find((port) => port.name === machine.name)?.up === true;
            const look = machine.state !== 'running' ? 'stopped' : isUp ? 'ready' : 'not-ready';
            const state = t(machine.state === 'running' && !isUp ? 'network.unplugged' : stateNames[machine.state]);
            return (
              <g key={machine.name} className={`nova-topology-node nova-node-${look}`}>
                <rect x={x} y={y} width={tile.width} height={tile.height} rx={8} />
                <circle cx={x + tile.width - 14} cy={y + 15} r={5} />
                <text x={x + 12} y={y + 22} className="nova-box-title">
                  {shorten(machine.name, 24)}
                </text>
                <text x={x + 12} y={y + 42} className="nova-box-note">
                  {machine.address} · {state}
                </text>
                <title>{`${machine.name} · ${machine.address} · ${state}`}</title>
              </g>
            );
          })}
          {machines.length === 0 && (
            <text x={middle} y={boxTop + 72} textAnchor="middle" className="nova-box-note">
              {t('network.noMachines')}
            </text>
          )}
          {rest > 0 && (
            <text x={middle} y={boxTop + boxHeight - 14} textAnchor="middle" className="nova-box-note">
              {t('overview.moreMachines', { count: rest })}
            </text>
          )}
        </Box>
      </svg>
    </section>
  );
}
