/**
 * Makes room in the window (P10): by the model before and after a turn, by rules in the middle of one. To at
 * most half of the window, or it is not done at all. Readable, interruptible, and undone with one click.
 */
import type { ContextMessage } from '../providers/provider.ts';
import {
  countTurns,
  cutBefore,
  cutWithin,
  shortened,
  shortenings,
  summarised,
  summaryByRules,
  summaryInstruction,
  type Cut,
  type LogEntry,
} from '../prompt/compaction.ts';
import { askSide } from './ask-side.ts';
import { promptTokens, tooLong, windowOf } from './model-request.ts';
import { emitNote } from './note-item.ts';
import { itemBase, settingOf, type Run } from './run.ts';

/** Every compaction aims at this share of the window. */
const target = 0.5;
/** Kept turns above this share would fill a small window again within a turn or two. */
const keptShare = 0.3;
/** Above this share no request is sent without making room first (I1). */
const hardLimit = 0.95;
const warnAt = 0.8;
const summaryTokens = 1_500;
const summaryTemperature = 0.3;
/** Characters of a summary by rules for each token of the window: about a sixth of it. */
const summaryShare = 0.6;
const onlyShortened = 'Older results of this turn were shortened.';
/** Newest replies with their results that stay, of a turn that fills the window by itself. */
const keptSteps = [6, 3, 2, 1] as const;

/** Older turns become a summary by the model once the window is as full as the profile says (I4, R). */
export async function compactIfFull(run: Run): Promise<void> {
  const { active, away } = settingOf(run);
  const { profile } = active;
  if (profile.compactAt === 0 || away) return;
  if (used(run) <= profile.compactAt * windowOf(run)) return;
  await compactByModel(run);
}

/** Before each request: fits by rules, or throws `context_overflow` (I1, P10). */
export function makeRoom(run: Run): void {
  const most = Math.floor(hardLimit * windowOf(run));
  if (used(run) >= most) compactByRules(run);
  if (used(run) >= most) throw tooLong(used(run), windowOf(run));
  warnOnce(run);
}

/** From here on the person is told, once in a turn (I1, P23). */
function warnOnce(run: Run): void {
  const share = used(run) / windowOf(run);
  if (run.toldOfWindow || share < warnAt) return;
  run.toldOfWindow = true;
  const text = `The window is ${String(Math.round(share * 100))} % full. Older turns are summarised before it is full.`;
  emitNote('window', text, run);
}

/** False = there was nothing that could be summarised, or the model could not: the log is as it was. */
export async function compactByModel(run: Run): Promise<boolean> {
  const log = run.deps.log.owned();
  const without = smaller(log, () => '', run);
  // Nothing is asked where even the shortest summary would not help.
  if (!isBetter(without, run)) return false;
  run.emit({ type: 'turn/phase', phase: 'compacting' });
  const summary = await askForSummary(run);
  if (summary === null) return compactByRules(run);
  const next = smaller(log, () => summary, run);
  // One that is too long is as good as none.
  return rewrite(next, 'model', run) || compactByRules(run);
}

/** False = nothing became smaller. */
export function compactByRules(run: Run): boolean {
  const rules = { opening: run.deps.opening(), most: windowOf(run) * summaryShare };
  return rewrite(
    smaller(run.deps.log.owned(), (older) => summaryByRules(older, rules), run),
    'rules',
    run,
  );
}

interface Smaller {
  log: LogEntry[];
  /** Empty = nothing had to be summarised. */
  summary: string;
}

type SummaryOf = (older: readonly LogEntry[]) => string;

/** The first of these that fits in the target: fewer turns, fewer steps of the newest turn, shorter results. Else the last. */
function smaller(log: readonly LogEntry[], summaryOf: SummaryOf, run: Run): Smaller | null {
  let best = countTurns(log) > 1 ? wholeTurns(log, summaryOf, run) : null;
  for (const steps of keptSteps) {
    if (best !== null && fits(best.log, run)) return best;
    const cut = cutWithin(log, steps);
    if (cut.older.length > 0) best = withSummary(cut, summaryOf, run);
  }
  for (const round of shortenings) {
    if (best !== null && fits(best.log, run)) return best;
    best = { log: shortened(best?.log ?? log, round), summary: best?.summary ?? '' };
  }
  return best;
}

/** As many whole turns as fit in their share and the target, at most as many as the profile keeps; at least the newest. */
function wholeTurns(log: readonly LogEntry[], summaryOf: SummaryOf, run: Run): Smaller {
  const keep = Math.min(settingOf(run).active.profile.keepRecentTurns, countTurns(log) - 1);
  for (let turns = keep; turns > 1; turns -= 1) {
    const cut = cutBefore(log, turns);
    if (estimate(cut.kept, run) - estimate([], run) > keptShare * windowOf(run)) continue;
    const next = withSummary(cut, summaryOf, run);
    if (fits(next.log, run)) return next;
  }
  return withSummary(cutBefore(log, 1), summaryOf, run);
}

function withSummary({ older, kept }: Cut, summaryOf: SummaryOf, run: Run): Smaller {
  const summary = summaryOf(older);
  return { log: summarised(run.deps.opening(), summary, kept), summary };
}

/** null = it called a tool, said nothing or failed: the rules then do it. A stop is passed on. */
async function askForSummary(run: Run): Promise<string | null> {
  const { deps, signal } = run;
  const messages: ContextMessage[] = [...deps.log.messages()];
  // The message that waits for its turn is no part of what is summarised, and roles alternate.
  if (messages.at(-1)?.role === 'user') messages.pop();
  messages.push({ role: 'user', content: summaryInstruction });
  try {
    const reply = await askSide(
      { messages, maxTextTokens: summaryTokens, temperature: summaryTemperature, phase: 'compacting' },
      run,
    );
    return reply.text.trim() === '' || reply.calls.length > 0 ? null : reply.text.trim();
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** It must shrink, and to what can be sent, or the log stays as it is. */
function isBetter(next: Smaller | null, run: Run): next is Smaller {
  if (next === null) return false;
  const tokens = estimate(next.log, run);
  const now = Math.min(used(run), estimate(run.deps.log.owned(), run));
  return tokens < now && tokens < Math.floor(hardLimit * windowOf(run));
}

function rewrite(next: Smaller | null, by: 'model' | 'rules', run: Run): boolean {
  if (!isBetter(next, run)) return false;
  const beforeTokens = used(run);
  const generation = run.deps.log.rewrite(next.log);
  const afterTokens = used(run);
  run.emit({
    type: 'item/started',
    item: {
      ...itemBase(run, true),
      kind: 'summary',
      text: next.summary || onlyShortened,
      by,
      beforeTokens,
      afterTokens,
      generation,
      undone: false,
    },
  });
  run.emit({
    type: 'context/measured',
    context: { usedTokens: afterTokens, windowTokens: windowOf(run), estimated: true },
  });
  return true;
}

const used = (run: Run): number => promptTokens(run.deps.log.messages(), run);

/** Nothing of it was ever counted by the engine. */
function estimate(log: readonly LogEntry[], run: Run): number {
  return promptTokens(
    log.map(({ message }) => message),
    { ...run, deps: { ...run.deps, log: { ...run.deps.log, measured: () => null } } },
  );
}

const fits = (log: readonly LogEntry[], run: Run): boolean => estimate(log, run) <= target * windowOf(run);
