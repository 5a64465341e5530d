import { type PlainKey, useWords } from '../language.tsx';
import { layersOf } from './layers.ts';
import { shorten } from './shorten.ts';
import './drawing.css';
import './module-graph.css';

interface Shown {
  name: string;
  version: string;
  needs: readonly string[];
  /** The state, if the module is installed in a cluster. */
  state?: { look: string; text: PlainKey };
}

const width = 210;
const height = 58;
const across = 90;
const gap = 18;
const side = 12;

/** Modules, each to the right of what it needs. The table beside it has the same content for screen readers. */
export function ModuleGraph({ modules }: { modules: readonly Shown[] }) {
  const { t } = useWords();
  const layers = layersOf(modules);
  const tallest = Math.max(...layers.map(({ length }) => length));
  const places = new Map(
    layers.flatMap((layer, column) =>
      layer.map(({ name }, row) => [
        name,
        {
          x: side + column * (width + across),
          y: side + (row + (tallest - layer.length) / 2) * (height + gap),
        },
      ]),
    ),
  );
  const size = {
    width: side * 2 + layers.length * (width + across) - across,
    height: side * 2 + tallest * (height + gap) - gap,
  };
  const title = t('modules.dependencies');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
    <section className="nova-topology" tabIndex={0} aria-label={title}>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        style={{ width: '100%', minWidth: size.width * 0.75, maxWidth: size.width }}
        role="img"
        aria-label={title}
      >
        {modules.flatMap(({ name, needs }) =>
          needs.map((need) => {
            const [from, to] = [places.get(need), places.get(name)];
            if (!from || !to) return null;
            const [startX, startY, endX, endY] = [from.x + width, from.y + height / 2, to.x, to.y + height / 2];
            const middle = (startX + endX) / 2;
            return (
              <path
                key={`${need} ${name}`}
                className="nova-wire"
                d={`M ${startX} ${startY} C ${middle} ${startY} ${middle} ${endY} ${endX} ${endY}`}
              />
            );
          }),
        )}
        {modules.map(({ name, version, state }) => {
          const { x, y } = places.get(name) ?? { x: 0, y: 0 };
          return (
            <g key={name} className={`nova-topology-node nova-module-${state?.look ?? 'quiet'}`}>
              <rect x={x} y={y} width={width} height={height} rx={8} />
              {state && <circle cx={x + width - 14} cy={y + 15} r={5} />}
              <text x={x + 12} y={y + 24} className="nova-box-title">
                {shorten(name, 24)}
              </text>
              <text x={x + 12} y={y + 43} className="nova-box-note">
                {shorten(version, 16)}
                {state && ` · ${t(state.text)}`}
              </text>
            </g>
          );
        })}
      </svg>
    </section>
  );
}
