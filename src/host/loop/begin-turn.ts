/** The person's message enters the log, with what the model is told of the files that came with it. Notes come later. */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import { classifyInstruction } from '../planning/instructions.ts';
import { createSteering, type SteeringNote } from '../planning/steering.ts';
import { attachedBlock, sees, type AttachedFile } from '../prompt/attached.ts';
import { escapeNotes, note } from '../prompt/notes.ts';
import { readMessage, type PersonMessage } from '../prompt/person-message.ts';
import type { ActiveProfile, AttachedFiles, TurnInput } from './deps.ts';
import { closing, unanswered } from './endings.ts';
import type { Output } from './output.ts';
import type { HistoryPort, ModelPort, RequestScope, WaitingRun } from './ports.ts';
import { takesNotes } from './setting.ts';

/** Shown even where it could not be recorded: a message is never lost (Q4). */
export async function beginTurn(
  input: TurnInput,
  { model, history, tools, out }: WaitingRun,
  signal: AbortSignal,
): Promise<ActiveProfile> {
  const isFirst = history.prepareOpening !== undefined && history.log.messages().length === 0;
  const { attached } = tools;
  const attachments = attached ? (input.attachments ?? []) : [];
  const recall = history.prepareRecall?.(input.message, signal) ?? null;
  if (attachments.length === 0 && !isFirst && recall === null) {
    try {
      return recordMessage(input, [], model.active(), history);
    } finally {
      showMessage(input, out);
    }
  }
  showMessage(input, out);
  const files =
    attached && attachments.length > 0 ? await takeFiles(attachments, attached, model, signal) : [];
  if (isFirst && (await history.prepareOpening?.(input.message, signal)))
    out.noteOnce('session', 'folder not trusted', 'instructions', notTrusted);
  await recall;
  return recordMessage(input, files, model.active(), history);
}

const notTrusted =
  'This folder has instructions or skills for agents. Trust the folder in the settings, under Connections, to use them.';

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
  const { head } = active;
  const recalled = history.recalled(input.message);
  const text =
    escapeNotes(readMessage(input.message).trim()) +
    attachedBlock(files, new Set(head.tools.map(({ name }) => name)));
  const opening = history.log.messages().length === 0 ? history.opening() : '';
  if (opening !== '') history.noteOpening?.();
  const content = opening + text + (recalled === null ? '' : note(recalled));
  const sent = files.map(({ bytes: _bytes, text: _text, ...file }) => file);
  // A full disk may have kept the turn before from closing the log.
  history.log.append([
    ...closing(history.log, unanswered),
    {
      role: 'user',
      content,
      ...(opening !== '' && { opening: opening.length }),
      ...(sent.length > 0 && { files: sent }),
      ...(input.from && { from: input.from }),
    },
  ]);
  return active;
}

/** Once it is known who reads them. Returns those that lead a model through its work. */
export function addStartNotes(
  message: PersonMessage,
  mayPlan: boolean,
  { setting, model: { models }, history: { log } }: RequestScope,
): SteeringNote[] {
  const { profile } = setting.active;
  const steering = takesNotes(setting, models)
    ? createSteering(message).atStart(profile, profile.maxIterations)
    : [];
  const texts = steering.map(({ text }) => text);
  if (mayPlan) texts.push(classifyInstruction(profile.planningMandatory));
  if (texts.length > 0) log.addNotes(texts.map(note).join(''));
  return steering;
}

function showMessage({ message, shown, attachments = [], from }: TurnInput, out: Output): void {
  const text = shown ?? readMessage(message);
  const more = { ...(attachments.length > 0 && { attachments: [...attachments] }), ...(from && { from }) };
  out.emit({ type: 'item/started', item: { ...out.itemBase(true), kind: 'user', text, ...more } });
}
