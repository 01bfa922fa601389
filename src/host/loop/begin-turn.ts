/** The person's message enters the log: with its notes, and with what the model is told of the files that came with it. */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import { classifyInstruction } from '../planning/instructions.ts';
import { createSteering } from '../planning/steering.ts';
import { attachedBlock, sees, type AttachedFile } from '../prompt/attached.ts';
import { escapeNotes, note } from '../prompt/notes.ts';
import { readMessage } from '../prompt/person-message.ts';
import type { ActiveProfile, AttachedFiles, TurnInput } from './deps.ts';
import { closing, unanswered } from './endings.ts';
import type { Output } from './output.ts';
import type { HistoryPort, ModelPort, WaitingRun } from './ports.ts';

/** Shown even where it could not be recorded: a message is never lost (Q4). */
export async function beginTurn(
  input: TurnInput,
  { model, history, tools, out }: WaitingRun,
  signal: AbortSignal,
): Promise<ActiveProfile> {
  if (!tools.attached || !input.attachments?.length) {
    try {
      return recordMessage(input, [], model.active(), history);
    } finally {
      showMessage(input, out);
    }
  }
  showMessage(input, out);
  const files = await takeFiles(input.attachments, tools.attached, model, signal);
  return recordMessage(input, files, model.active(), history);
}

/** Throws before anything of the message is recorded or sent where it cannot be sent whole. */
async function takeFiles(
  attachments: readonly Attachment[],
  attached: AttachedFiles,
  model: ModelPort,
  signal: AbortSignal,
): Promise<AttachedFile[]> {
  const { head } = model.active();
  const files = await attached.take(attachments, !head.tools.some(({ name }) => name === 'read_file'));
  if (files.some(({ kind }) => kind === 'image')) await refuseBlind(model, signal);
  return files;
}

/** Where no model can be had, nothing is said: what is missing is told when the turn asks for one. */
export async function refuseBlind(
  { active, engine }: Pick<ModelPort, 'active' | 'engine'>,
  signal: AbortSignal,
): Promise<void> {
  const { profile, pinnedModel } = active();
  const model = await engine.chooseModel(profile, pinnedModel, signal).catch(() => null);
  if (!model || sees(model)) return;
  throw new AndironError(
    'model_without_vision',
    `${model.name} cannot see images, so the message was not sent.`,
    'Choose a model with vision and send it again, or take the images out of it.',
  );
}

/** Committed before anything else can fail. */
function recordMessage(
  input: TurnInput,
  files: AttachedFile[],
  active: ActiveProfile,
  history: HistoryPort,
): ActiveProfile {
  const { profile, head } = active;
  const notes = createSteering(input.message)
    .atStart(profile, profile.maxIterations)
    .map(({ text }) => text);
  const recalled = history.recalled(input.message);
  if (recalled !== null) notes.unshift(recalled);
  if (input.mayPlan && profile.planningEnabled) notes.push(classifyInstruction(profile.planningMandatory));
  const text =
    escapeNotes(readMessage(input.message).trim()) +
    attachedBlock(files, new Set(head.tools.map(({ name }) => name)));
  const opening = history.log.messages().length === 0 ? history.opening() : '';
  const content = opening + text + notes.map(note).join('');
  const sent = files.map(({ id, name, kind, mime, path }) => ({ id, name, kind, mime, path }));
  // A full disk may have kept the turn before from closing the log.
  history.log.append([
    ...closing(history.log, unanswered),
    { role: 'user', content, ...(sent.length > 0 && { files: sent }) },
  ]);
  return active;
}

function showMessage({ message, attachments = [] }: TurnInput, out: Output): void {
  const text = readMessage(message);
  const more = attachments.length > 0 && { attachments: [...attachments] };
  out.emit({ type: 'item/started', item: { ...out.itemBase(true), kind: 'user', text, ...more } });
}
