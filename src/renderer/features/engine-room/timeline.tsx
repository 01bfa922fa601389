import { useMemo } from 'react';
import type { TimelinePoint, Turn } from '../../../protocol/model.ts';
import { timeline as text } from '../../text.ts';
import { gigabytes } from '../../formats.ts';
import { BarKey } from '../../components/bar.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { latestTurn, runningTurn } from '../../stores/derive.ts';
import { historyMs } from '../../stores/gpu-history.ts';
import { useEngine, useSession, useStores } from '../../stores/stores.ts';
import { laneOf, laneTotals, type LaneKind, type LanePart } from '../../stores/turn-lane.ts';
import { Part } from './part.tsx';
import { splitVram } from '../../../rules/vram-split.ts';
import styles from './timeline.module.css';
import bars from '../../components/bar.module.css';

/** Between samples nothing moves. */
const everyMs = 2000;
/** What is shown where no turn says from when to when. */
const idleSpanMs = 5 * 60_000;
const minSpanMs = 30_000;

interface Span {
  from: number;
  to: number;
}

/** What the GPU did beside what the agent did, on one axis of time: those of the running or last turn. */
export function Timeline() {
  const turn = useSession((session) => latestTurn(session.state));
  const gpus = useEngine((state) => state.engine?.gpus ?? null);
  const points = useEngine((state) => state.timeline);
  const now = useAxisEnd(points);
  if (gpus === null || gpus.length === 0) return null;
  const span = spanOf(turn, now);
  const inside = points.filter(({ at }) => at >= span.from && at <= span.to);
  return (
    <Part title={text.title} meta={text.span(span.to - span.from)}>
      {inside.length < 2 ? <p className="t3">{text.waits}</p> : <GpuPlot points={inside} span={span} />}
      {turn && turn.startedAt !== null && <Lane turn={turn} span={span} now={now} />}
      <p className={`${styles.spread} ${styles.axis}`}>
        <span>{turn?.startedAt === span.from ? text.from : text.ago(text.span(now - span.from))}</span>
        <span>{turn?.endedAt === span.to ? text.end : text.now}</span>
      </p>
    </Part>
  );
}

/** The time of day while a turn runs; else the axis ends with the last sample, and between two nothing is drawn. */
function useAxisEnd(points: TimelinePoint[]): number {
  const runs = useSession((session) => runningTurn(session.state) !== undefined);
  const now = useElapsed(runs ? 0 : null, everyMs);
  return runs ? now : (points.at(-1)?.at ?? 0);
}

/** Of the turn, as far as the history reaches; never so short that one sample fills it. */
function spanOf(turn: Turn | undefined, now: number): Span {
  const started = turn?.startedAt ?? null;
  if (!turn || started === null) return { from: now - idleSpanMs, to: now };
  const to = Math.max(turn.endedAt ?? now, started + minSpanMs);
  return { from: Math.max(started, to - historyMs), to };
}

const width = 288;
const height = 44;

/** Utilisation as an area, VRAM as a line; where a value is unknown there is a gap. */
function GpuPlot({ points, span }: { points: TimelinePoint[]; span: Span }) {
  const engine = useEngine((state) => state.engine);
  const total = splitVram(engine?.gpus ?? [], []).total;
  const x = (at: number): number => ((at - span.from) / (span.to - span.from)) * width;
  const y = (ratio: number): number => height - Math.min(1, Math.max(0, ratio)) * height;
  const busy = runsOf(points, ({ utilization }) => (utilization === null ? null : utilization / 100));
  const vram = runsOf(points, ({ vramUsedBytes }) =>
    vramUsedBytes === null || total === null || total === 0 ? null : vramUsedBytes / total,
  );
  const line = (run: Stretch): string =>
    run.map(({ at, ratio }) => `${round(x(at))},${round(y(ratio))}`).join(' ');
  const known = points.flatMap(({ utilization }) => (utilization === null ? [] : [utilization]));
  const last = points.at(-1);
  return (
    <>
      <span className="sr-only">
        {known.length === 0
          ? text.none
          : text.gpuLabel(text.span(span.to - span.from), Math.min(...known), Math.max(...known))}
      </span>
      <svg
        className={styles.plot}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {busy.map((run) => (
          <polygon
            key={run[0]?.at}
            className={styles.fBusy}
            points={`${round(x(run[0]?.at ?? 0))},${height} ${line(run)} ${round(x(run.at(-1)?.at ?? 0))},${height}`}
          />
        ))}
        {vram.map((run) => (
          <polyline
            key={run[0]?.at}
            className={styles.sVram}
            points={line(run)}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      <p className={`${styles.plotKeys} num`}>
        <BarKey look={bars.other}>
          {text.busy} {last?.utilization == null ? text.unknown : text.percent(last.utilization)}
        </BarKey>
        <BarKey look={bars.cache}>
          {text.vram} {last?.vramUsedBytes == null ? text.unknown : `${gigabytes(last.vramUsedBytes)} GB`}
        </BarKey>
      </p>
    </>
  );
}

type Stretch = { at: number; ratio: number }[];

/** Stretches without an unknown value in them. */
function runsOf(points: TimelinePoint[], pick: (point: TimelinePoint) => number | null): Stretch[] {
  const runs: Stretch[] = [];
  let open: Stretch | null = null;
  for (const point of points) {
    const ratio = pick(point);
    if (ratio === null) open = null;
    else if (open) open.push({ at: point.at, ratio });
    else {
      open = [{ at: point.at, ratio }];
      runs.push(open);
    }
  }
  return runs;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const looks: Record<LaneKind, string> = {
  reads: bars.cached,
  thinks: styles.bThinks,
  writes: bars.fresh,
  tool: styles.bTool,
  asks: styles.bAsks,
};

const fills: Record<LaneKind, string> = {
  reads: styles.fReads,
  thinks: styles.fThinks,
  writes: styles.fWrites,
  tool: styles.fTool,
  asks: styles.fAsks,
};

/** What the agent did, below what the GPU did; in words and seconds for each kind. */
function Lane({ turn, span, now }: { turn: Turn; span: Span; now: number }) {
  const { session } = useStores();
  // Looked at with each step of the axis, not with every piece of text that arrives.
  const parts = useMemo(() => laneOf(turn, session.getState().state?.items ?? [], now), [turn, session, now]);
  const totals = laneTotals(parts);
  const words = totals.map(({ kind, ms }) => `${text.kinds[kind]} ${text.took(ms)}`).join(', ');
  return (
    <>
      <span className="sr-only">{text.laneLabel(words)}</span>
      <svg className={styles.lane} viewBox={`0 0 ${width} 8`} preserveAspectRatio="none" aria-hidden="true">
        {parts.map((part) => (
          <LaneRect key={part.from} part={part} span={span} />
        ))}
      </svg>
      <p className={`${styles.plotKeys} num`}>
        {totals.map(({ kind, ms }) => (
          <BarKey key={kind} look={looks[kind]}>
            {text.kinds[kind]} {text.took(ms)}
          </BarKey>
        ))}
      </p>
    </>
  );
}

function LaneRect({ part, span }: { part: LanePart; span: Span }) {
  const scale = width / (span.to - span.from);
  const from = (Math.max(part.from, span.from) - span.from) * scale;
  const wide = (part.to - Math.max(part.from, span.from)) * scale;
  if (wide <= 0) return null;
  // Nothing that happened is too short to be seen.
  const low = part.kind === 'thinks' ? 4 : 0;
  return (
    <rect
      className={fills[part.kind]}
      x={from}
      y={low}
      width={Math.max(0.8, wide)}
      height={8 - low}
      vectorEffect="non-scaling-stroke"
    />
  );
}
