/** One run of the loop, a turn or a subagent inside of one: what it was given, and the little that changes. */
import type { ClosedStream, Emit, Found, Setting, TurnDeps, TurnInput } from './deps.ts';

export type { Setting } from './deps.ts';

export interface Run {
  readonly input: TurnInput;
  readonly deps: TurnDeps;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** Profile, model and lease in force; undefined before the GPU was granted. */
  setting: Setting | undefined;
  /** The reply that is being written; undefined between replies. */
  writer: Written | undefined;
  /** The reply that its stop closed; undefined = none was open. */
  closed?: ClosedStream | undefined;
  /** Of a slot whose reply was cut, as long as it is being proved. */
  proof?: Promise<Found> | undefined;
  /** The model that the person was told of last. */
  toldModel?: string;
  /** The person was told that the window fills up (P23: once). */
  toldOfWindow?: true;
}

/** What came of a reply so far. */
export interface Written {
  readonly text: string;
  readonly thinking: string;
}

/** What has no request of its own: items and their ends. */
export type Teller = Pick<Run, 'input' | 'deps' | 'emit'>;

/** Of a run that has its lease. Throws for a mistake of the caller. */
export function settingOf({ setting }: Run): Setting {
  if (setting) return setting;
  throw new Error('The run has no model yet.');
}

/** The model that works from now on: the one that was leased, or the one that answered in its place (F9). */
export function reportModel(model: string, profileId: string, run: Run): void {
  run.toldModel = model;
  run.emit({ type: 'turn/model', model, profileId });
}

/** What every item of a run has. `done` = it is complete as it comes. */
export function itemBase({ input, deps }: Teller, done: boolean) {
  const now = deps.clock.now();
  return {
    id: deps.newId('item_'),
    turnId: input.turnId,
    index: deps.nextIndex(),
    startedAt: now,
    completedAt: done ? now : null,
    cut: false,
  };
}
