/** What a person was told is safe, and what of it is missing once the host is back. */
import { isDeepStrictEqual } from 'node:util';
import { untitled } from '../../../src/host/sessions/message.ts';
import type { ApprovalDecision, Item, SessionSnapshot } from '../../../src/protocol/model.ts';
import { lossProblems } from '../../helpers/session-checks.ts';
import { tokensIn } from './work.ts';

/** Of one session. */
export class Ledger {
  /** Turn → message, for each `turn/start` that was answered. */
  readonly #turns = new Map<string, string>();
  /** Turns that the person asked to stop. */
  readonly #stopped = new Set<string>();
  /** Question → answer, for each `approval/answer` that was answered. */
  readonly #answers = new Map<string, ApprovalDecision>();

  get size(): number {
    return this.#turns.size + this.#answers.size;
  }

  started(turnId: string, text: string): void {
    this.#turns.set(turnId, text);
  }

  /** One that still waited is taken back by this, whether or not the host lives to tell. */
  stopped(turnId: string): void {
    this.#stopped.add(turnId);
  }

  answered(approvalId: string, decision: ApprovalDecision): void {
    this.#answers.set(approvalId, decision);
  }

  /** What was acknowledged by an answer or seen by an event, and is not there any more. */
  losses(told: SessionSnapshot, kept: SessionSnapshot): string[] {
    for (const id of this.#stopped) {
      if (!kept.turns.some((turn) => turn.id === id)) this.#turns.delete(id);
    }
    const turns = told.turns.filter((turn) => turn.status !== 'queued' || !this.#stopped.has(turn.id));
    const expected = withGrowth({ ...told, turns }, kept);
    return [...lossProblems(expected, kept), ...this.#missingTurns(kept), ...this.#missingAnswers(kept)];
  }

  #missingTurns(kept: SessionSnapshot): string[] {
    return [...this.#turns].flatMap(([id, text]) => {
      const found = kept.turns.filter((turn) => turn.id === id);
      if (found.length !== 1) return [`the acknowledged ${id} is there ${String(found.length)} times`];
      return found[0]?.text === text ? [] : [`${id} said ${text} and says ${String(found[0]?.text)}`];
    });
  }

  #missingAnswers(kept: SessionSnapshot): string[] {
    return [...this.#answers].flatMap(([id, decision]) => {
      const item = kept.items.find((each) => each.kind === 'tool' && each.approval?.id === id);
      const found = item?.kind === 'tool' ? item.decision : undefined;
      return found === decision ? [] : [`the answer ${decision} to ${id} became ${String(found)}`];
    });
  }
}

/**
 * What was stored may be more than what was told in time: the rest of a text, what a stop left of the slot, the name that
 * a session got.
 */
function withGrowth(told: SessionSnapshot, kept: SessionSnapshot): SessionSnapshot {
  const items = told.items.map((item) => {
    const now = kept.items.find(({ id }) => id === item.id);
    return now && hasGrown(item, now) ? now : item;
  });
  const session =
    told.session.title === untitled ? { ...told.session, title: kept.session.title } : told.session;
  return { ...told, session, items };
}

function hasGrown(told: Item, kept: Item): boolean {
  // The proof is all that a card of a stop gets later; what was told before it has to be there still.
  if (told.kind === 'stopped') return isDeepStrictEqual({ ...kept, ...told }, kept);
  return told.completedAt === null && 'text' in told && 'text' in kept && kept.text.startsWith(told.text);
}

/** Messages that are there twice: sent once, they must have begun once. */
export function repeatedMessages({ turns, items }: SessionSnapshot): string[] {
  const texts = turns.map((turn) => turn.text);
  const shown = items.flatMap((item) => (item.kind === 'user' ? [item.text] : []));
  return [texts, shown].flatMap((list) =>
    list.filter((text, at) => list.indexOf(text) !== at).map((text) => `${text}: there twice`),
  );
}

export interface EffectProblems {
  /** Seen as done, and not done. */
  missing: string[];
  /** Done more than once. */
  repeated: string[];
  /** Done although nobody allowed it. */
  unasked: string[];
}

/** @param effects token → how often its effect is on the disk */
export function effectProblems(kept: SessionSnapshot, effects: ReadonlyMap<string, number>): EffectProblems {
  const found: EffectProblems = { missing: [], repeated: [], unasked: [] };
  for (const item of kept.items) {
    if (item.kind !== 'tool') continue;
    for (const token of tokensIn(JSON.stringify(item.args))) {
      const times = effects.get(token) ?? 0;
      const where = `${token} (${item.state}, ${String(item.decision)}) has ${String(times)} effects`;
      if (times > 1) found.repeated.push(where);
      if (times === 0 && item.state === 'done') found.missing.push(where);
      if (times > 0 && item.decision !== 'allow') found.unasked.push(where);
    }
  }
  return found;
}
