import { describe, expect, it } from 'vitest';
import { settled } from '../renderer/testing/fake-server.ts';
import { TopicFollower, type Snapshot } from './topic-follower.ts';

class Owner {
  readonly seen: unknown[] = [];
  readonly errors: unknown[] = [];
  readonly #subscriptions: { resolve: (snapshot: Snapshot) => void; reject: (error: Error) => void }[] = [];
  readonly follower = new TopicFollower<Snapshot>({
    subscribe: () => new Promise((resolve, reject) => this.#subscriptions.push({ resolve, reject })),
    onSnapshot: (snapshot) => this.seen.push(`snapshot ${snapshot.seq}`),
    onEvent: (event) => this.seen.push(event),
    onError: (error) => this.errors.push(error),
  });

  get subscriptions(): number {
    return this.#subscriptions.length;
  }

  async answer(round: number, seq: number, epoch = 'a'): Promise<void> {
    this.#subscriptions[round]?.resolve({ seq, epoch });
    await settled();
  }

  async refuse(round: number): Promise<void> {
    this.#subscriptions[round]?.reject(new Error('not_found'));
    await settled();
  }
}

describe('a followed topic', () => {
  it('shows early events after the snapshot, and those in the snapshot not at all', async () => {
    const { follower, seen, ...owner } = exposed();
    follower.restart();
    follower.receive(4, 'four');
    follower.receive(5, 'five');
    follower.receive(6, 'six');
    await owner.answer(0, 5);
    expect(seen).toEqual(['snapshot 5', 'six']);
  });

  it('applies what follows in order and drops what it already has', async () => {
    const { follower, seen, ...owner } = exposed();
    follower.restart();
    await owner.answer(0, 2);
    follower.receive(3, 'three');
    follower.receive(3, 'three again');
    follower.receive(4, 'four');
    expect(seen).toEqual(['snapshot 2', 'three', 'four']);
  });

  it('takes a new snapshot when an event is missing, and keeps the one that came', async () => {
    const { follower, seen, ...owner } = exposed();
    follower.restart();
    await owner.answer(0, 2);
    follower.receive(5, 'five');
    expect(owner.subscriptions()).toBe(2);
    await owner.answer(1, 4);
    expect(seen).toEqual(['snapshot 2', 'snapshot 4', 'five']);
  });

  it('takes a new snapshot from another process, whose counting says nothing', async () => {
    const { follower, seen, ...owner } = exposed();
    follower.restart();
    await owner.answer(0, 900, 'old');
    follower.onEpoch('old');
    expect(owner.subscriptions()).toBe(1);
    follower.onEpoch('new');
    follower.receive(1, 'one');
    follower.receive(2, 'two');
    await owner.answer(1, 1, 'new');
    expect(seen).toEqual(['snapshot 900', 'snapshot 1', 'two']);
  });

  it('ignores the answer to an older question', async () => {
    const { follower, seen, ...owner } = exposed();
    follower.restart();
    follower.restart();
    await owner.answer(1, 7);
    await owner.answer(0, 3);
    expect(seen).toEqual(['snapshot 7']);
  });

  it('tells a refusal, and nothing once it is stopped', async () => {
    const { follower, seen, errors, ...owner } = exposed();
    follower.restart();
    await owner.refuse(0);
    expect(errors).toHaveLength(1);
    follower.restart();
    follower.stop();
    await owner.answer(1, 1);
    follower.receive(2, 'two');
    expect(seen).toEqual([]);
  });
});

function exposed() {
  const owner = new Owner();
  return {
    follower: owner.follower,
    seen: owner.seen,
    errors: owner.errors,
    subscriptions: () => owner.subscriptions,
    answer: owner.answer.bind(owner),
    refuse: owner.refuse.bind(owner),
  };
}
