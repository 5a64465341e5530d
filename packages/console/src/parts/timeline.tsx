import type { Operation, OperationStep } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { stepStates } from './states.tsx';
import { itemOf } from './steps.ts';
import { useNow } from './time.tsx';
import './timeline.css';

interface Bar {
  step: OperationStep;
  from: number;
  until: number;
  /** The bar including its title. A title longer than the bar extends after it, or before it at the end of the axis. */
  taken: { from: number; until: number };
  isTitleBefore: boolean;
}

interface Lane {
  name: string;
  /** Bars with overlapping titles go on separate lines. */
  lines: Bar[][];
}

/** In rem, including the space around a bar. */
const lineHeight = 1.875;
const barMargin = 0.25;
/** Estimated width of a letter, and of the whole track, in pixels. */
const letterWidth = 7;
const usualWidth = 800;

/** The activity of each node over time: one lane per node, and one for Universe itself. */
export function Timeline({ operation }: { operation: Operation }) {
  const { t, language, duration } = useWords();
  const now = useNow(operation.state === 'running');
  const spans = operation.steps.flatMap((step) => {
    if (step.startedAt === undefined) return [];
    const isRunning = step.state === 'running' && operation.state === 'running';
    const from = Date.parse(step.startedAt);
    return [{ step, from, until: isRunning ? now : Math.max(from, Date.parse(step.endedAt ?? step.startedAt)) }];
  });
  if (spans.length === 0) return <p className="nova-quiet">{t('operations.notStarted')}</p>;
  const start = Math.min(...spans.map(({ from }) => from));
  const end = Math.max(...spans.map(({ until }) => until), start + 1000);
  const bars = spans.map((span): Bar => {
    const title = (span.step.title[language].length * letterWidth + letterWidth * 2) * ((end - start) / usualWidth);
    const isTitleBefore = span.from + title > end && span.until - span.from < title;
    const taken = isTitleBefore
      ? { from: span.from - title, until: span.until }
      : { from: span.from, until: Math.max(span.until, span.from + title) };
    return { ...span, taken, isTitleBefore };
  });
  const percent = (time: number) => ((time - start) / (end - start)) * 100;
  const ticks = ticksOf(end - start);
  return (
    <figure className="nova-timeline" aria-label={t('operations.timeline')}>
      <div className="nova-timeline-row nova-timeline-axis" aria-hidden="true">
        <div className="nova-timeline-name" />
        <div className="nova-timeline-track">
          {ticks.map((tick) => (
            <span key={tick} className="nova-tick" style={{ insetInlineStart: `${(tick / (end - start)) * 100}%` }}>
              {duration(tick)}
            </span>
          ))}
        </div>
      </div>
      {lanesOf(bars, t('operations.universe')).map(({ name, lines }) => (
        <div key={name} className="nova-timeline-row">
          <div className="nova-timeline-name">{name}</div>
          <div className="nova-timeline-track" style={{ height: `${lines.length * lineHeight + 2 * barMargin}rem` }}>
            {ticks.map((tick) => (
              <span
                key={tick}
                className="nova-grid-line"
                style={{ insetInlineStart: `${(tick / (end - start)) * 100}%` }}
              />
            ))}
            {lines.flatMap((line, level) =>
              line.map(({ step, from, until, isTitleBefore }) => {
                const label = `${step.title[language]}: ${t(stepStates[step.state].text)}, ${duration(until - from)}`;
                return (
                  <div
                    key={step.name}
                    role="img"
                    aria-label={label}
                    title={label}
                    className={`nova-bar nova-bar-${step.state}${isTitleBefore ? ' nova-bar-last' : ''}`}
                    style={{
                      insetInlineStart: `${percent(from)}%`,
                      width: `max(4px, ${percent(until) - percent(from)}%)`,
                      top: `${level * lineHeight + barMargin}rem`,
                    }}
                  >
                    <span>{step.title[language]}</span>
                  </div>
                );
              }),
            )}
          </div>
        </div>
      ))}
    </figure>
  );
}

function lanesOf(bars: readonly Bar[], own: string): Lane[] {
  const lanes = Map.groupBy(bars, ({ step }) => itemOf(step) ?? own);
  return [...lanes]
    .map(([name, all]): Lane => {
      const lines: Bar[][] = [];
      for (const bar of all.toSorted((one, other) => one.taken.from - other.taken.from)) {
        const free = lines.find((line) => (line.at(-1)?.taken.until ?? 0) <= bar.taken.from);
        if (free) free.push(bar);
        else lines.push([bar]);
      }
      return { name, lines };
    })
    .sort((one, other) => Number(other.name === own) - Number(one.name === own) || one.name.localeCompare(other.name));
}

/** About five round times. */
function ticksOf(length: number): number[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * 1000);
  const step = steps.find((each) => length / each <= 6) ?? 3600_000;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}
