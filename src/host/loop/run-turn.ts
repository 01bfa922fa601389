/**
 * START READING HERE. One user message and everything Andiron does until it is finished, stopped or failed (design 4):
 *
 *   record the message → take the GPU → repeat: ask the model → run its calls → until it answers.
 *
 * Resolves for every failure of model, tool and engine (failures are items that model and person can read) and rejects
 * only for bugs. All state is local; the log, the tools and the engine come in as `deps`; all news leaves through `emit`.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { TurnPhase } from '../../protocol/model.ts';
import { budgetText, escapeNotes, note } from '../prompt/notes.ts';
import { askAgain, emptyReply, isWorthAsking } from './ask-again.ts';
import { askModel, type Setting } from './ask-model.ts';
import type { ActiveProfile, Emit, TurnDeps, TurnInput } from './deps.ts';
import { closeLog, closing, endFailed, endStopped } from './endings.ts';
import { ReplyWriter } from './reply-writer.ts';
import { followProfile, takeSetting } from './setting.ts';
import { refuseCutCalls, runCalls } from './tool-calls.ts';

const unanswered = '(no answer: the request failed)';

/** One step is asked again at most this often, for whatever reason; each counts as an iteration (design 4). */
const mostReasks = 5;

/** The phases in which a connection to the model is open, and those of them in which lines have come. */
const linesCame: ReadonlySet<TurnPhase> = new Set(['thinking', 'text', 'call']);
const streaming: ReadonlySet<TurnPhase> = new Set(['prefill', ...linesCame]);

export async function runTurn(
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const now: { phase: TurnPhase; stoppedAt: number } = { phase: 'lease', stoppedAt: 0 };
  let setting: Setting | undefined;
  let writer: ReplyWriter | undefined;
  let failed = false;
  const tell: Emit = (event) => {
    if (event.type === 'turn/phase') now.phase = event.phase;
    emit(event);
  };
  signal.addEventListener('abort', () => (now.stoppedAt = deps.clock.monotonic()), { once: true });

  tell({ type: 'turn/started', profileId: input.profileId });

  try {
    let active = recordMessage(input, deps, tell);
    setting = await takeSetting(active, input, deps, tell, signal);
    let reasks = 0;
    let answered = false;
    for (let iteration = 1; !answered && iteration <= active.profile.maxIterations; iteration += 1) {
      signal.throwIfAborted();
      setting = await followProfile(setting, input, deps, tell, signal);
      active = setting.active;

      writer = new ReplyWriter(input, deps, tell);
      const reply = await ask(
        setting,
        { iteration, seed: reasks || undefined },
        writer,
        input,
        deps,
        tell,
        signal,
      );
      if (typeof reply !== 'string') {
        reasks += 1;
        if (reasks > mostReasks) throw reply;
        setting = await askAgain(reply, setting, input, deps, tell, signal);
        continue;
      }
      reasks = 0;

      const { text, thinking, calls } = writer;
      deps.log.append([{ role: 'assistant', content: text, thinking, calls: calls.map(({ call }) => call) }]);
      writer = undefined;
      if (calls.length === 0) {
        if (reply === 'length') throw outputLimit();
        answered = true;
        continue;
      }
      const budget = budgetText(active.profile.maxIterations - iteration);
      const lastNote = budget === null ? '' : note(budget);
      if (reply === 'length') refuseCutCalls(calls, lastNote, deps, tell);
      else await runCalls(calls, active, lastNote, input, deps, tell, signal);
    }
    if (answered) {
      tell({ type: 'turn/finished' });
    } else {
      signal.throwIfAborted();
      closeLog(deps, undefined, '(the step limit was reached before an answer)');
      tell({ type: 'turn/capped', iterations: active.profile.maxIterations });
    }
  } catch (error) {
    if (signal.aborted) {
      const during = now.phase;
      const closedMs = streaming.has(during) ? deps.clock.monotonic() - now.stoppedAt : null;
      if (setting && linesCame.has(during)) deps.slots.closedWhileLinesCame(setting.lease.model.name);
      closeLog(deps, writer, '(stopped by the user)');
      tell({ type: 'turn/phase', phase: 'stopping' });
      await endStopped(input, { model: setting?.lease.model.name ?? null, during, closedMs }, deps, tell);
    } else {
      failed = true;
      closeLog(deps, writer, unanswered);
      endFailed(input, explain(error, setting, deps), deps, tell);
    }
  } finally {
    setting?.lease.release(failed);
  }
  emit({ type: 'turn/closed' });
}

/** Committed before anything can fail, and shown even where it could not be: a message is never lost (Q4). */
function recordMessage(input: TurnInput, deps: TurnDeps, emit: Emit): ActiveProfile {
  try {
    const active = deps.active();
    const urgency = budgetText(active.profile.maxIterations);
    const text = escapeNotes(input.text.trim());
    const content = deps.opening + text + (urgency === null ? '' : note(urgency));
    // A full disk may have kept the turn before from closing the log.
    deps.log.append([...closing(deps, unanswered), { role: 'user', content }]);
    return active;
  } finally {
    showMessage(input, deps, emit);
  }
}

function showMessage(input: TurnInput, deps: TurnDeps, emit: Emit): void {
  const now = deps.clock.now();
  emit({
    type: 'item/started',
    item: {
      id: deps.newId('item_'),
      turnId: input.turnId,
      index: deps.nextIndex(),
      startedAt: now,
      completedAt: now,
      cut: false,
      kind: 'user',
      text: input.text,
    },
  });
}

/** Why the reply ended; an error = it was empty or broke off, and is worth asking once more with another seed. */
async function ask(
  setting: Setting,
  asked: { iteration: number; seed: number | undefined },
  writer: ReplyWriter,
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<'stop' | 'length' | AndironError> {
  try {
    const reason = await askModel(setting, asked, writer, input, deps, emit, signal);
    return writer.text.trim() === '' && writer.calls.length === 0 ? emptyReply() : reason;
  } catch (error) {
    writer.cut(signal.aborted ? 'stopped' : 'interrupted');
    if (!signal.aborted && isWorthAsking(error)) return error;
    throw error;
  }
}

/** Silence after a stop that closed against lines is most likely a lost slot; nothing in the engine's answers says so. */
function explain(error: unknown, setting: Setting | undefined, deps: TurnDeps): unknown {
  const silent = error instanceof AndironError && error.code === 'stream_first_token_timeout';
  if (!silent || !setting || !deps.slots.suspect(setting.lease.model.name)) return error;
  return new AndironError(
    'slot_lost',
    `${setting.lease.model.name} has not answered since an answer was stopped: Ollama has most likely lost its slot.`,
    'Unload the model in the settings and send again; it is loaded anew.',
    { cause: error },
  );
}

function outputLimit(): AndironError {
  return new AndironError(
    'stream_cut',
    'The answer reached its output limit.',
    'Send "go on" to have the rest, or give the profile a larger window.',
  );
}
