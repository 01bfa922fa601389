/**
 * Makes room in the window (P10): by the model before and after a turn, by rules in the middle of one. To at
 * most half of the window, or it is not done at all. Readable, interruptible, and undone with one click.
 */
import { charactersPerToken } from '../../rules/token-guess.ts';
import type { ContextMessage } from '../providers/provider.ts';
import {
  carriedLoads,
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
import { askSide } from './request/ask-side.ts';
import { overflow, promptTokens, usedTokens, windowOf } from './request/model-request.ts';
import type { Output } from './output.ts';
import type { RequestScope } from './ports.ts';

/** Every compaction aims at this share of the window. */
const target = 0.5;
/** Kept turns above this share would fill a small window again within a turn or two. */
const keptShare = 0.3;
/** Above this share no request is sent without making room first (I1). */
const hardLimit = 0.95;
const warnAt = 0.8;
const summaryTokens = 1_500;
const summaryTemperature = 0.3;
/** Of the window: what skills that were loaded before may take. */
const loadShare = 0.15;
/** Characters of a summary by rules for each token of the window: about a sixth of it. */
const summaryShare = 0.6;
const onlyShortened = 'Older results of this turn were shortened.';
/** Newest replies with their results that stay, of a turn that fills the window by itself. */
const keptSteps = [6, 3, 2, 1] as const;

/** Older turns become a summary by the model once the window is as full as the profile says (I4, R). */
export async function compactIfFull(scope: RequestScope, signal: AbortSignal): Promise<void> {
  const { active, away } = scope.setting;
  const { compactAt } = active.profile;
  if (compactAt === 0 || away) return;
  if (usedTokens(scope) > compactAt * windowOf(scope.setting)) await compactByModel(scope, signal);
}

/** Before each request: fits by rules, or throws `context_overflow` (I1, P10). */
export function makeRoom(scope: RequestScope): void {
  const window = windowOf(scope.setting);
  const maxTokens = Math.floor(hardLimit * window);
  if (usedTokens(scope) >= maxTokens) compactByRules(scope);
  const used = usedTokens(scope);
  if (used >= maxTokens) throw overflow(used, scope);
  warnOnce(used / window, scope.out);
}

/** From here on the person is told, once in a turn (I1, P23). */
function warnOnce(share: number, out: Output): void {
  if (share < warnAt) return;
  const text = `The window is ${String(Math.round(share * 100))} % full. Older turns are summarised before it is full.`;
  out.noteOnce('turn', 'window', 'window', text);
}

/** False = there was nothing that could be summarised, or the model could not: the log is as it was. */
export async function compactByModel(scope: RequestScope, signal: AbortSignal): Promise<boolean> {
  const log = scope.history.log.owned();
  const without = smaller(log, () => '', scope);
  // Nothing is asked where even the shortest summary would not help.
  if (!isBetter(without, scope)) return false;
  scope.out.emit({ type: 'turn/phase', phase: 'compacting' });
  const summary = await askForSummary(scope, signal);
  if (summary === null) return compactByRules(scope);
  const next = smaller(log, () => summary, scope);
  // One that is too long is as good as none.
  return rewrite(next, 'model', scope) || compactByRules(scope);
}

/** False = nothing became smaller. */
export function compactByRules(scope: RequestScope): boolean {
  const { history, setting } = scope;
  const rules = { opening: history.opening(), most: windowOf(setting) * summaryShare };
  const next = smaller(history.log.owned(), (older) => summaryByRules(older, rules), scope);
  return rewrite(next, 'rules', scope);
}

interface Smaller {
  log: LogEntry[];
  /** Empty = nothing had to be summarised. */
  summary: string;
}

type SummaryOf = (older: readonly LogEntry[]) => string;

/** The first of these that fits in the target: fewer turns, fewer steps of the newest turn, shorter results. Else the last. */
function smaller(log: readonly LogEntry[], summaryOf: SummaryOf, scope: RequestScope): Smaller | null {
  let best = countTurns(log) > 1 ? wholeTurns(log, summaryOf, scope) : null;
  for (const steps of keptSteps) {
    if (best !== null && fits(best.log, scope)) return best;
    const cut = cutWithin(log, steps);
    if (cut.older.length > 0) best = withSummary(cut, summaryOf, scope);
  }
  for (const round of shortenings) {
    if (best !== null && fits(best.log, scope)) return best;
    best = { log: shortened(best?.log ?? log, round), summary: best?.summary ?? '' };
  }
  return best;
}

/** As many whole turns as fit in their share and the target, at most as many as the profile keeps; at least the newest. */
function wholeTurns(log: readonly LogEntry[], summaryOf: SummaryOf, scope: RequestScope): Smaller {
  const keep = Math.min(scope.setting.active.profile.keepRecentTurns, countTurns(log) - 1);
  for (let turns = keep; turns > 1; turns -= 1) {
    const cut = cutBefore(log, turns);
    if (estimate(cut.kept, scope) - estimate([], scope) > keptShare * windowOf(scope.setting)) continue;
    const next = withSummary(cut, summaryOf, scope);
    if (fits(next.log, scope)) return next;
  }
  return withSummary(cutBefore(log, 1), summaryOf, scope);
}

function withSummary(
  { older, kept }: Cut,
  summaryOf: SummaryOf,
  { history, setting }: RequestScope,
): Smaller {
  const summary = summaryOf(older);
  const loads = carriedLoads(older, kept, windowOf(setting) * loadShare * charactersPerToken);
  return { log: summarised(history.opening(), summary, kept, loads), summary };
}

/** null = it called a tool, said nothing or failed: the rules then do it. A stop is passed on. */
async function askForSummary(scope: RequestScope, signal: AbortSignal): Promise<string | null> {
  const messages: ContextMessage[] = [...scope.history.log.messages()];
  // The message that waits for its turn is no part of what is summarised, and roles alternate.
  if (messages.at(-1)?.role === 'user') messages.pop();
  messages.push({ role: 'user', content: summaryInstruction });
  try {
    const reply = await askSide(
      {
        purpose: 'compaction',
        messages,
        maxTextTokens: summaryTokens,
        temperature: summaryTemperature,
        phase: 'compacting',
      },
      scope,
      signal,
    );
    return reply.text.trim() === '' || reply.calls.length > 0 ? null : reply.text.trim();
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** It must shrink, and to what can be sent, or the log stays as it is. */
function isBetter(next: Smaller | null, scope: RequestScope): next is Smaller {
  if (next === null) return false;
  const tokens = estimate(next.log, scope);
  const now = Math.min(usedTokens(scope), estimate(scope.history.log.owned(), scope));
  return tokens < now && tokens < Math.floor(hardLimit * windowOf(scope.setting));
}

function rewrite(next: Smaller | null, by: 'model' | 'rules', scope: RequestScope): boolean {
  if (!isBetter(next, scope)) return false;
  const { history, setting, out } = scope;
  const beforeTokens = usedTokens(scope);
  if (next.summary !== '') history.noteOpening?.();
  const generation = history.log.rewrite(next.log);
  const afterTokens = usedTokens(scope);
  out.emit({
    type: 'item/started',
    item: {
      ...out.itemBase(true),
      kind: 'summary',
      text: next.summary || onlyShortened,
      by,
      beforeTokens,
      afterTokens,
      generation,
      undone: false,
    },
  });
  out.emit({
    type: 'context/measured',
    context: { usedTokens: afterTokens, windowTokens: windowOf(setting), estimated: true },
  });
  return true;
}

/** Nothing of it was ever counted by the engine. */
function estimate(log: readonly LogEntry[], { setting, model }: RequestScope): number {
  const messages = log.map(({ message }) => message);
  return promptTokens(messages, null, setting, model.models);
}

const fits = (log: readonly LogEntry[], scope: RequestScope): boolean =>
  estimate(log, scope) <= target * windowOf(scope.setting);
