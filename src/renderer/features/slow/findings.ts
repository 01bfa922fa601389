/** Why it is slow, from what the window knows already. Pure: state in, findings out, the dearest first. */
import type {
  ContextUsage,
  EngineState,
  Incident,
  Item,
  KeepAlivePolicy,
  Profile,
  Turn,
} from '../../../protocol/model.ts';
import { ledger, slow as text } from '../../text.ts';
import { tokenRate } from '../../formats.ts';
import { withoutDot } from '../../components/reread-words.ts';
import { loadedModel } from '../../stores/derive.ts';
import { splitContext } from '../../stores/figures.ts';
import { spilledShare } from '../../stores/model-state.ts';
import { readingRate } from '../../../rules/price.ts';
import { rereadsOf, totalReading } from '../../stores/readings.ts';
import { gpuSight, splitVram } from '../../../rules/vram-split.ts';
import { windowSteps } from '../../stores/windows.ts';

/** What is known when the question is asked. */
export interface DiagnosisInput {
  engine: EngineState;
  /** The model that runs, or would with the next message. */
  model: string | null;
  profile: Profile | undefined;
  context: ContextUsage | null;
  /** Ended or running, oldest first. */
  turns: Turn[];
  items: Item[];
  sessionId: string | null;
  now: number;
}

export type Fix =
  | { do: 'window'; profileId: string; tokens: number; before: number }
  | { do: 'eject'; model: string; contextTokens: number | null; bytes: number }
  | { do: 'keep'; before: KeepAlivePolicy; minutes: number }
  | { do: 'compact'; sessionId: string }
  | { do: 'reload'; model: string; contextTokens: number | null }
  | { do: 'open'; section: 'profiles' | 'models' | 'engine' };

export interface Finding {
  id: string;
  title: string;
  /** Numbers that show it, a sentence each. */
  evidence: string[];
  /** Milliseconds lost; null = unknown. */
  costMs: number | null;
  /** It makes every reply slower for as long as it lasts: dearer than anything that happened once. */
  ongoing: boolean;
  /** What the person can do, or that there is nothing to do; empty only where the fixes say it. */
  help: string;
  fixes: Fix[];
}

const recentTurns = 5;
const recentMs = 30 * 60_000;

/** Turns that are looked at: the newest that were answered at least once. */
export function recentOf(turns: Turn[]): Turn[] {
  return turns.filter(({ usage, replaced }) => usage.length > 0 && !replaced).slice(-recentTurns);
}

export function findings(known: DiagnosisInput): Finding[] {
  const found = [
    noGpu(known),
    spill(known),
    throttling(known),
    others(known),
    waiting(known),
    ...rereads(known),
    loads(known),
    ...incidents(known),
    longPrompt(known),
    fullWindow(known),
    slowerWriting(known),
    tools(known),
  ].filter((finding) => finding !== null);
  return found.toSorted(
    (a, b) => Number(b.ongoing) - Number(a.ongoing) || (b.costMs ?? -1) - (a.costMs ?? -1),
  );
}

type Parts = Partial<Finding> & Pick<Finding, 'id' | 'title' | 'evidence'>;

function finding(parts: Parts): Finding {
  return { costMs: null, ongoing: false, help: '', fixes: [], ...parts };
}

function noGpu({ engine, turns }: DiagnosisInput): Finding | null {
  if (gpuSight(engine) !== 'none') return null;
  return finding({
    id: 'no-gpu',
    title: text.noGpu.title,
    evidence: [text.noGpu.evidence, speedWords(turns)].filter((words) => words !== ''),
    ongoing: true,
    fixes: [{ do: 'open', section: 'models' }],
  });
}

/** A part of the model on the processor: each word waits for it. */
function spill(known: DiagnosisInput): Finding | null {
  const { engine, model } = known;
  const loaded = loadedModel(engine, model);
  if (!loaded) return null;
  const share = spilledShare(loaded, engine);
  if (share === 0) return null;
  const { other } = splitVram(engine.gpus ?? [], engine.loaded);
  const evidence = [text.spill.evidence(loaded.vramBytes, loaded.sizeBytes)];
  if (other > tellingVram) evidence.push(text.spill.others(other));
  return finding({
    id: 'spill',
    title: text.spill.title(loaded.name, share),
    evidence,
    ongoing: true,
    fixes: [
      ...ejections(known),
      ...smallerWindow(known),
      { do: 'reload', model: loaded.name, contextTokens: loaded.contextTokens },
    ],
  });
}

const tellingVram = 1024 ** 3;

/** Other models that stand in the way. */
function ejections({ engine, model }: DiagnosisInput): Fix[] {
  return engine.loaded
    .filter(({ name, makesVectors }) => name !== model && !makesVectors)
    .map(({ name, contextTokens, vramBytes }) => ({
      do: 'eject',
      model: name,
      contextTokens,
      bytes: vramBytes,
    }));
}

/** Half the window, where what is used still has room in it. */
function smallerWindow({ profile, context }: DiagnosisInput): Fix[] {
  if (!profile) return [];
  const needed = (context?.usedTokens ?? 0) * 1.3;
  const tokens = windowSteps(null, null)
    .filter((step) => step <= profile.contextTokens / 2)
    .findLast((step) => step >= needed);
  return tokens === undefined
    ? []
    : [{ do: 'window', profileId: profile.id, tokens, before: profile.contextTokens }];
}

function throttling({ engine }: DiagnosisInput): Finding | null {
  const gpu = engine.gpus?.find(({ throttled }) => throttled && throttled.length > 0);
  if (!gpu?.throttled) return null;
  const cause = gpu.throttled.map((name) => text.throttled.causes[name]).join(', ');
  return finding({
    id: 'throttled',
    title: text.throttled.title,
    evidence: [text.throttled.evidence(cause, gpu.temperatureC, gpu.powerW)],
    ongoing: true,
    help: text.throttled.help,
  });
}

/** Somebody else keeps the GPU busy while no turn of ours does. */
function others({ engine }: DiagnosisInput): Finding | null {
  const { other } = splitVram(engine.gpus ?? [], engine.loaded);
  const busy = Math.max(0, ...(engine.gpus ?? []).map(({ utilization }) => utilization ?? 0)) / 100;
  if (engine.lease !== null || engine.loading !== null || busy < 0.3 || other < tellingVram) return null;
  return finding({
    id: 'others',
    title: text.others.title,
    evidence: [text.others.evidence(other, busy)],
    ongoing: true,
    help: text.others.help,
  });
}

function waiting({ engine: { lease, queue }, now }: DiagnosisInput): Finding | null {
  const first = queue.find(({ purpose }) => purpose === 'turn');
  if (!first || !lease) return null;
  return finding({
    id: 'waits',
    title: text.waits.title,
    evidence: [text.waits.evidence(lease.label, queue.length)],
    costMs: Math.max(0, now - first.since),
    help: text.waits.help,
  });
}

const tellingTokens = 200;

function rereads({ turns, engine }: DiagnosisInput): Finding[] {
  const all = rereadsOf(recentOf(turns).flatMap(({ usage }) => usage));
  return all
    .filter(({ tokens }) => tokens >= tellingTokens)
    .map(({ cause, owner, tokens, ms, requests, detail }) => {
      const evidence =
        detail === ''
          ? text.reread.evidence(ledger.causes[cause], requests)
          : text.reread.told(withoutDot(detail), requests);
      const lost = cause === 'reload' || cause === 'cache_evicted';
      const fixes: Fix[] = lost ? keepWarm(engine) : [];
      if (owner === 'other_program') fixes.push({ do: 'open', section: 'engine' });
      if (owner === 'template' || cause === 'checkpoint') fixes.push({ do: 'open', section: 'models' });
      const isKept = owner === 'engine' && lost && fixes.length === 0;
      return finding({
        id: `reread:${cause}:${owner ?? ''}`,
        title: text.reread.title(tokens),
        evidence: [evidence],
        costMs: ms,
        help: isKept
          ? text.keptAlready
          : text.reread.help[cause === 'checkpoint' ? cause : (owner ?? 'unknown')],
        fixes,
      });
    });
}

function keepWarm({ keepAlive, keepMinutes }: EngineState): Fix[] {
  return keepAlive === 'always' ? [] : [{ do: 'keep', before: keepAlive, minutes: keepMinutes }];
}

const tellingLoadMs = 1000;
const unaskedLoad = new Set<Incident['kind']>(['reload', 'evicted']);

function loads({ turns, engine, now }: DiagnosisInput): Finding | null {
  // The engine knows by whom and why.
  if (engine.incidents.some(({ kind, at }) => unaskedLoad.has(kind) && now - at <= recentMs)) return null;
  const each = recentOf(turns)
    .flatMap(({ usage }) => usage)
    .map(({ loadMs }) => loadMs ?? 0)
    .filter((ms) => ms >= tellingLoadMs);
  if (each.length === 0) return null;
  const ms = each.reduce((sum, one) => sum + one, 0);
  const fixes = keepWarm(engine);
  return finding({
    id: 'loads',
    title: text.load.title(each.length),
    evidence: [text.load.evidence(ms)],
    costMs: ms,
    help: fixes.length === 0 ? text.keptAlready : '',
    fixes,
  });
}

/** What the engine saw go wrong lately, one finding for each kind. What is told better by its own finding is left out. */
function incidents({ engine, now }: DiagnosisInput): Finding[] {
  const recent = engine.incidents.filter(({ at }) => now - at <= recentMs).filter(isOnlyHere);
  return [...Map.groupBy(recent, ({ kind }) => kind)].map(([kind, several]) => {
    const [newest] = several;
    const costs = several.map(({ costMs }) => costMs);
    return finding({
      id: `incident:${kind}`,
      title: text.incident.titles[kind],
      evidence: [newest?.message ?? '', text.incident.times(several.length)].filter((words) => words !== ''),
      costMs: costs.includes(null) ? null : costs.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
      help: newest?.advice || text.incident.help[kind],
      fixes: unaskedLoad.has(kind) ? keepWarm(engine) : [],
    });
  });
}

type OnlyHere = Incident & { kind: Exclude<Incident['kind'], 'spill' | 'throttled'> };

/** Other findings report the two that last. */
function isOnlyHere(incident: Incident): incident is OnlyHere {
  return incident.kind !== 'spill' && incident.kind !== 'throttled';
}

const longPromptMs = 8000;

/** New tokens only: what was read twice has findings of its own. */
function longPrompt({ turns }: DiagnosisInput): Finding | null {
  const last = recentOf(turns).at(-1);
  if (!last) return null;
  const { fresh, freshMs } = totalReading(last.usage);
  if (fresh === null || freshMs === null || freshMs < longPromptMs) return null;
  return finding({
    id: 'prompt',
    title: text.prompt.title,
    evidence: [text.prompt.evidence(fresh, freshMs)],
    costMs: freshMs,
    fixes: [{ do: 'open', section: 'profiles' }],
  });
}

const full = 0.9;

function fullWindow({ context, sessionId, profile, model, engine }: DiagnosisInput): Finding | null {
  if (!context) return null;
  const { used, window, ratio } = splitContext(context);
  if (ratio < full) return null;
  const trained = engine.models.find(({ name }) => name === model)?.trainedContext ?? null;
  const fixes: Fix[] = sessionId === null ? [] : [{ do: 'compact', sessionId }];
  const tokens = (profile?.contextTokens ?? 0) * 2;
  if (profile && (trained === null || tokens <= trained)) {
    fixes.push({ do: 'window', profileId: profile.id, tokens, before: profile.contextTokens });
  }
  return finding({
    id: 'window',
    title: text.window.title(ratio),
    evidence: [text.window.evidence(used, window)],
    help: text.window.help,
    fixes,
  });
}

const tellingOutput = 30;
const muchSlower = 0.6;

/** The last reply against the best before it, of the same model: long enough ones only. */
function slowerWriting({ turns, sessionId }: DiagnosisInput): Finding | null {
  const usage = recentOf(turns)
    .flatMap(({ usage }) => usage)
    .filter(({ outputTokens, outputMs }) => (outputTokens ?? 0) >= tellingOutput && (outputMs ?? 0) > 0);
  const last = usage.at(-1);
  if (!last) return null;
  const rate = ({ outputTokens, outputMs }: typeof last): number => (outputTokens ?? 0) / (outputMs ?? 1);
  const before = usage.filter(({ model }) => model === last.model).toSorted((a, b) => rate(b) - rate(a))[0];
  if (!before || rate(last) >= rate(before) * muchSlower) return null;
  const lost = (last.outputMs ?? 0) - (last.outputTokens ?? 0) / rate(before);
  return finding({
    id: 'writing',
    title: text.writing.title,
    evidence: [
      text.writing.evidence(
        perSecond(last.outputTokens, last.outputMs),
        perSecond(before.outputTokens, before.outputMs),
      ),
    ],
    costMs: lost,
    help: text.writing.help,
    fixes: sessionId === null ? [] : [{ do: 'compact', sessionId }],
  });
}

function perSecond(tokens: number | null, ms: number | null): string {
  return (tokenRate(tokens, ms) ?? '').replace(' tok/s', '');
}

/** Most of the last turn was no model time at all. */
function tools({ turns, items, now }: DiagnosisInput): Finding | null {
  const last = recentOf(turns).at(-1);
  if (!last || last.startedAt === null) return null;
  const whole = (last.endedAt ?? now) - last.startedAt;
  const times = new Map<string, number>();
  for (const item of items) {
    if (item.turnId !== last.id || item.kind !== 'tool' || item.parentCallId !== undefined) continue;
    times.set(item.tool, (times.get(item.tool) ?? 0) + (item.runMs ?? 0));
  }
  const spent = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  if (whole <= 0 || spent < longPromptMs || spent / whole < 0.5) return null;
  const [most] = [...times].toSorted((a, b) => b[1] - a[1]);
  return finding({
    id: 'tools',
    title: text.tools.title(most?.[0] ?? ''),
    evidence: [text.tools.evidence(spent, spent / whole)],
    costMs: spent,
    help: text.tools.help,
  });
}

/** '' = no reply tells. */
export function speedWords(turns: Turn[]): string {
  const { reads, writes } = speeds(turns);
  const words = text.none.speed(reads, writes);
  return words === '' ? '' : `${words}.`;
}

/** Tokens a second, of the newest request that tells; null = unknown. */
export function speeds(turns: Turn[]): { reads: number | null; writes: number | null } {
  const usage = recentOf(turns).flatMap(({ usage }) => usage);
  const read = usage.findLast((request) => readingRate(request) !== null);
  const wrote = usage.findLast(
    ({ outputTokens, outputMs }) => (outputTokens ?? 0) >= tellingOutput && (outputMs ?? 0) > 0,
  );
  const rate = read ? readingRate(read) : null;
  return {
    reads: rate === null ? null : rate * 1000,
    writes: wrote ? ((wrote.outputTokens ?? 0) * 1000) / (wrote.outputMs ?? 1) : null,
  };
}
