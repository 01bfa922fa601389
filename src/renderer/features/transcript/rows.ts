/** What the transcript is made of: one row for each piece that scrolls on its own. */
import type { Attachment } from '../../../protocol/attachments.ts';
import type { Source } from '../../../protocol/foreign-text.ts';
import type { Item, ItemOf, PlanStep, Sender, ToolItem, Turn, TurnScope } from '../../../protocol/model.ts';
import type { ResultFile } from '../../../protocol/result-files.ts';
import type { PlanStage } from '../../components/plan-step.tsx';
import type { Sending } from '../../stores/session-store.ts';
import type { TextPart } from './text-parts.ts';

/** What shares one bordered list: calls, and the notes and thoughts between them. */
export type GroupEntry = ToolItem | ItemOf<'note'> | ItemOf<'thinking'>;
/** A call with the subagent that it spawned. */
export type AgentItem = ToolItem & { agent: NonNullable<ToolItem['agent']> };

interface RowBase {
  key: string;
  /** The first row of a turn that is not the first turn: a hairline stands above it. */
  newTurn: boolean;
  /** It is part of what a subagent did: the call that spawned it. */
  inside?: string;
  /** One border runs around this row and the one before, after, or both. */
  joins?: 'above' | 'below' | 'both';
  /** The place of the step that it is work on, while its turn works off a list. */
  step?: number;
  /** It stands in the frame of the list, as a part of that or under a step of it. */
  inPlan?: 'list' | 'work';
  /** Of an earlier version: kept, and no longer read by the model. */
  dim?: true;
}

type Variant =
  /** `editable`: another version of it may be asked for now. */
  | { kind: 'user'; item: ItemOf<'user'>; editable: boolean; sender?: Sender | undefined }
  /** What the turn said as it opened. `offered`: it only looks, and may be let do more. */
  | { kind: 'scope'; turnId: string; scope: TurnScope; offered: boolean }
  /** `begun`: its turn runs and says itself what it does. */
  | { kind: 'sending'; text: string; attachments?: Attachment[] | undefined; begun: boolean }
  | { kind: 'thinking'; item: ItemOf<'thinking'> }
  /**
   * One part of an answer. `cutOff`: it ends in the middle and nothing below says why. `plain`: its Markdown could not
   * be read in time.
   */
  | {
      kind: 'text';
      part: TextPart;
      /** That its numbers may cite. */
      sources: readonly Source[];
      continued: boolean;
      writing: boolean;
      plain: boolean;
      cutOff: boolean;
    }
  | { kind: 'note'; item: ItemOf<'note'> }
  | { kind: 'tools'; entries: GroupEntry[] }
  /** Calls of a long run behind one line; `open`: they follow. */
  | { kind: 'calls'; entries: GroupEntry[]; open: boolean }
  /** `open`: the rows of what it did follow. */
  | { kind: 'agent'; item: AgentItem; open: boolean }
  /** `asker`: the profile of the subagent that asks; null = the agent itself. */
  | { kind: 'approval'; item: ToolItem; asker: string | null }
  /**
   * `now`: how far the steps are, in the order of the item's; null = such a step is not in the list any more. `inner`:
   * what subagents made of them.
   */
  | ({
      kind: 'plan';
      item: ItemOf<'plan'>;
      now: (PlanStep | null)[];
      inner: PlanStep[];
      stage: PlanStage;
    } & Partial<PlanPart>)
  /** The list of steps that the model keeps without a plan; `inner` as above. */
  | ({ kind: 'steps'; steps: PlanStep[]; inner: PlanStep[]; stage: PlanStage } & Partial<PlanPart>)
  /** `undoable`: nothing was summarised after it. */
  | { kind: 'summary'; item: ItemOf<'summary'>; undoable: boolean }
  | { kind: 'switch'; item: ItemOf<'switch'> }
  /** `last`: of the newest turn, so it offers what to do next. */
  | { kind: 'stopped'; item: ItemOf<'stopped'>; ran: Ran; last: boolean }
  | { kind: 'error'; item: ItemOf<'error'>; last: boolean }
  | { kind: 'outcome'; turn: Turn; last: boolean }
  /** `begun`: something of the turn is already on screen. */
  | { kind: 'progress'; turn: Turn; begun: boolean }
  /** The files of an ended turn, opened from its foot. `offered`: the card of its stop has the way back already. */
  | { kind: 'changes'; turnId: string; edits: Item[]; offered: boolean }
  /** What the tools of an ended turn brought out. */
  | { kind: 'files'; turnId: string; files: readonly ResultFile[] }
  /** Pages that the answer of an ended turn is made of. */
  | { kind: 'sources'; sources: readonly Source[] }
  /** What was done before the answer, in one line; `open`: its rows follow. */
  | { kind: 'work'; turnId: string; done: WorkDone; open: boolean }
  /**
   * The quiet line that ends a turn: what it took and changed, and what can be done with its answer. `calls`, `toolMs`: of
   * the agent itself, that ran. `workOpen`: null = no line of work stands above.
   */
  | ({
      kind: 'foot';
      turn: Turn;
      edits: Item[];
      calls: number;
      toolMs: number;
      workOpen: boolean | null;
      isLast: boolean;
    } & AnswerActions)
  /** Turns that were replaced, behind one line. */
  | { kind: 'earlier'; firstTurnId: string; messages: number };
export type Row = RowBase & Variant;
export type RowOf<K extends Row['kind']> = Extract<Row, { kind: K }>;

/** Those steps of a list that no work stands between; the work of a step follows it. Per step, of the whole list: */
export interface PlanPart {
  turnId: string;
  from: number;
  to: number;
  /** Calls of the agent itself, and how many of them failed. */
  calls: number[];
  failed: number[];
  /** Whether its work can be opened or closed, and is open. */
  folds: boolean[];
  opened: boolean[];
}

/** What can be done with the answer of an ended turn. */
interface AnswerActions {
  answer: string;
  /** The rest of the answer is on pages before this place; null = all of it is in `answer`. */
  missingBefore: number | null;
  fork: boolean;
  regenerate: boolean;
  /** The ids that its versions begin with; null = it is the only one, or none can be chosen now. */
  versions: readonly string[] | null;
}

/** How often a turn did what; files and folders are counted once each. */
export interface WorkDone {
  looked: number;
  folders: number;
  searches: number;
  sources: number;
  changed: number;
  commands: number;
  agents: number;
  /** Of tools of other programs. */
  uses: number;
  others: number;
  failed: number;
  declined: number;
  thoughts: number;
  /** Of its plan. */
  steps: number;
  stepsDone: number;
}

/** What a turn did to the world. */
export interface Ran {
  files: number;
  commands: number;
}

export function isAgentItem(item: ToolItem): item is AgentItem {
  return item.agent !== undefined;
}

export function countRan(items: Item[]): Ran {
  const files = new Set<string>();
  let commands = 0;
  for (const item of items) {
    if (item.kind !== 'tool') continue;
    if (item.display?.kind === 'diff' && item.state === 'done') files.add(item.display.path);
    if (item.display?.kind === 'command') commands += 1;
  }
  return { files: files.size, commands };
}

export const sendingRow = ({ text, attachments }: Sending, newTurn: boolean, begun: boolean): Row => ({
  key: 'sending',
  newTurn,
  kind: 'sending',
  text,
  attachments,
  begun,
});
