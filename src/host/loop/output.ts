/** What a run shows: its events, and the items and lines that are made for them. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import type { NoteKind, TurnPhase } from '../../protocol/model.ts';
import type { Emit } from './deps.ts';

/** Where everything that happens goes. */
export interface OutPort {
  emit: Emit;
  clock: Clock;
  newId: NewId;
  /** The next free item index of the session. */
  nextIndex(): number;
  /** What is said once in a session, by any key. */
  said: Set<string>;
  reportBug(error: unknown): void;
}

export class Output {
  readonly turnId: string;
  readonly #port: OutPort;
  #phase: TurnPhase = 'lease';
  /** The model that the person was told of last. */
  #model: string | undefined;
  readonly #said = new Set<string>();

  constructor(port: OutPort, turnId: string) {
    this.#port = port;
    this.turnId = turnId;
  }

  /** That of a run inside of this one, whose events go another way. */
  within(emit: Emit): Output {
    return new Output({ ...this.#port, emit }, this.turnId);
  }

  get clock(): OutPort['clock'] {
    return this.#port.clock;
  }

  /** The phase that was shown last. */
  get phase(): TurnPhase {
    return this.#phase;
  }

  readonly emit = (event: TurnEvent): void => {
    if (event.type === 'turn/phase') this.#phase = event.phase;
    this.#port.emit(event);
  };

  readonly newId: OutPort['newId'] = (prefix) => this.#port.newId(prefix);

  readonly reportBug = (error: unknown): void => this.#port.reportBug(error);

  /** What every item has. `isComplete`: as it comes. */
  itemBase(isComplete: boolean) {
    const now = this.#port.clock.now();
    return {
      id: this.#port.newId('item_'),
      turnId: this.turnId,
      index: this.#port.nextIndex(),
      startedAt: now,
      completedAt: isComplete ? now : null,
      cut: false,
    };
  }

  /** One line of Andiron's own in the transcript. */
  note(note: NoteKind, text: string): void {
    this.emit({ type: 'item/started', item: { ...this.itemBase(true), kind: 'note', note, text } });
  }

  noteOnce(per: 'turn' | 'session', key: string, note: NoteKind, text: string): void {
    const said = per === 'turn' ? this.#said : this.#port.said;
    if (said.has(key)) return;
    said.add(key);
    this.note(note, text);
  }

  /** The model that works from now on: the one that was leased, or the one that answered in its place (F9). */
  model(model: string, profileId: string): void {
    this.#model = model;
    this.emit({ type: 'turn/model', model, profileId });
  }

  /** Who answers, as the engine names it; undefined = it does not. */
  answering(model: string | undefined, profileId: string): void {
    if (model !== undefined && model !== this.#model) this.model(model, profileId);
  }
}
