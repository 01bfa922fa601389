/**
 * START READING HERE. One user message and everything Andiron does until it is finished, stopped or failed (design 4):
 *
 *   record the message → take the GPU → make room → plan → work: ask the model, run its calls, until it answers → end →
 *   make room for the next message while the person reads.
 *
 * Resolves for every failure of model, tool and engine (failures are items that model and person can read) and rejects
 * only for bugs. All state is local; the log, the tools and the engine come in as `deps`; all news leaves through `emit`.
 */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { TurnPhase } from '../../protocol/model.ts';
import { classifyInstruction } from '../planning/instructions.ts';
import { createSteering } from '../planning/steering.ts';
import { answered } from '../planning/todo.ts';
import { attachedBlock, sees, type AttachedFile } from '../prompt/attached.ts';
import { escapeNotes, note } from '../prompt/notes.ts';
import type { ActiveProfile, AttachedFiles, Emit, TurnDeps, TurnInput } from './deps.ts';
import { compactIfFull } from './compact.ts';
import { closeLog, closing, endFailed, endStopped, linesCame, streaming } from './endings.ts';
import { planTurn } from './plan-turn.ts';
import { proveStop } from './prove-stop.ts';
import { itemBase, settingOf, type Run, type Setting } from './run.ts';
import { takeSetting } from './setting.ts';
import { work } from './work.ts';

const unanswered = '(no answer: the request failed)';

export async function runTurn(
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const now: { phase: TurnPhase; stoppedAt: number } = { phase: 'lease', stoppedAt: 0 };
  const tell: Emit = (event) => {
    if (event.type === 'turn/phase') now.phase = event.phase;
    emit(event);
  };
  const run: Run = { input, deps, emit: tell, signal, setting: undefined, writer: undefined };
  let failed = false;
  let ended = false;
  let holdsGpu = true;
  const leaveGpu = (): void => {
    if (holdsGpu) run.setting?.lease.release(failed);
    holdsGpu = false;
  };
  signal.addEventListener('abort', () => (now.stoppedAt = deps.clock.monotonic()), { once: true });

  tell({ type: 'turn/started', profileId: input.profileId });

  try {
    await takeSetting(await beginTurn(run), run);
    await compactIfFull(run);
    const first = mayPlan(run) ? await planTurn(run) : undefined;
    const answer = await work(run, input.text, first);
    if (answer === null) {
      closeLog(deps, undefined, '(the step limit was reached before an answer)');
      tell({ type: 'turn/capped', iterations: settingOf(run).active.profile.maxIterations });
    } else {
      tell({ type: 'turn/finished' });
    }
    ended = true;
    if (answer !== null) endSteps(deps);
    await compactIfFull(run);
  } catch (error) {
    if (ended) {
      // Nothing that comes after the answer can take it back.
      if (!signal.aborted) deps.onInternalError(error);
    } else if (signal.aborted) {
      const during = now.phase;
      const model = run.setting?.lease.model.name ?? null;
      const closedMs = streaming.has(during) ? deps.clock.monotonic() - now.stoppedAt : null;
      if (model !== null && linesCame.has(during)) deps.slots.closedWhileLinesCame(model);
      closeLog(deps, run.writer, '(stopped by the user)');
      tell({ type: 'turn/phase', phase: 'stopping' });
      const item = await endStopped({ model, during, closedMs }, run);
      // A stop while lines came may have cost the slot: nobody else uses the GPU until it is proved.
      if (!linesCame.has(during)) leaveGpu();
      if (closedMs !== null && model !== null) await proveStop(item, during, run);
    } else {
      failed = true;
      closeLog(deps, run.writer, unanswered);
      endFailed(explain(error, run.setting, deps), run);
    }
  } finally {
    leaveGpu();
  }
  emit({ type: 'turn/closed' });
}

function endSteps({ data }: TurnDeps): void {
  const before = data.todo();
  const after = answered(before);
  if (after !== before) data.setTodo(after);
}

/** Shown even where it could not be recorded: a message is never lost (Q4). */
async function beginTurn(run: Run): Promise<ActiveProfile> {
  const { deps, input } = run;
  if (!deps.attached || !input.attachments?.length) {
    try {
      return recordMessage([], run);
    } finally {
      showMessage(run);
    }
  }
  showMessage(run);
  return recordMessage(await takeFiles(input.attachments, deps.attached, run), run);
}

/** Throws before anything of the message is recorded or sent where it cannot be sent whole. */
async function takeFiles(
  attachments: readonly Attachment[],
  attached: AttachedFiles,
  { deps, signal }: Run,
): Promise<AttachedFile[]> {
  const { profile, head, pinnedModel } = deps.active();
  const files = await attached.take(attachments, !head.tools.some(({ name }) => name === 'read_file'));
  if (!files.some(({ kind }) => kind === 'image')) return files;
  // Where there is no model at all, the message is recorded, and what is missing is said then.
  const model = await deps.engine.chooseModel(profile, pinnedModel, signal).catch(() => null);
  if (model && !sees(model)) {
    throw new AndironError(
      'model_without_vision',
      `${model.name} cannot see images, so the message was not sent.`,
      'Choose a model with vision and send it again, or take the images out of it.',
    );
  }
  return files;
}

/** Committed before anything else can fail. */
function recordMessage(files: AttachedFile[], run: Run): ActiveProfile {
  const { input, deps } = run;
  const active = deps.active();
  const { profile, head } = active;
  const notes = createSteering(input.text)
    .atStart(profile, profile.maxIterations)
    .map(({ text }) => text);
  const recalled = deps.recalled(input.text);
  if (recalled !== null) notes.unshift(recalled);
  if (input.mayPlan && profile.planningEnabled) notes.push(classifyInstruction(profile.planningMandatory));
  const text =
    escapeNotes(input.text.trim()) + attachedBlock(files, new Set(head.tools.map(({ name }) => name)));
  const opening = deps.log.messages().length === 0 ? deps.opening() : '';
  const content = opening + text + notes.map(note).join('');
  const sent = files.map(({ id, name, kind, mime, path }) => ({ id, name, kind, mime, path }));
  // A full disk may have kept the turn before from closing the log.
  deps.log.append([
    ...closing(deps, unanswered),
    { role: 'user', content, ...(sent.length > 0 && { files: sent }) },
  ]);
  return active;
}

function showMessage(run: Run): void {
  const { text, attachments = [] } = run.input;
  const more = attachments.length > 0 && { attachments: [...attachments] };
  run.emit({ type: 'item/started', item: { ...itemBase(run, true), kind: 'user', text, ...more } });
}

const mayPlan = (run: Run): boolean => run.input.mayPlan && settingOf(run).active.profile.planningEnabled;

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
