/** Which stops may have cost the model its slot: those that closed a stream with lines in it, in whatever phase. */
import { describe, expect, it } from 'vitest';
import type { SlotProof } from '../../src/host/loop/deps.ts';
import { examRun } from '../../src/host/models/exam/exam-run.ts';
import { askQuestion } from '../../src/host/models/exam/ask-question.ts';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import { askSide } from '../../src/host/loop/request/ask-side.ts';
import { personMessage } from '../../src/host/prompt/person-message.ts';
import { AppClosed } from '../../src/host/loop/endings.ts';
import type { Run } from '../../src/host/loop/ports.ts';
import { waitingRun } from '../../src/host/loop/run.ts';
import { takeSetting } from '../../src/host/loop/setting.ts';
import type { ReplyEvent } from '../../src/host/providers/provider.ts';
import { runCompaction } from '../../src/host/sessions/compaction-turn.ts';
import { yieldToOthers } from '../../src/platform/event-loop.ts';
import type { ItemOf } from '../../src/protocol/model.ts';
import { agentTurn } from '../helpers/agent-world.ts';
import { after } from '../helpers/full-window.ts';
import { analysis, planning } from '../helpers/planned-turns.ts';
import { done, model, text, TurnWorld, type ScriptedReply, words } from '../helpers/turn-world.ts';

const answered: SlotProof = { found: 'answered', promptTokens: 900 };
const full: [number, number][] = [
  [20, 800],
  [20, 800],
];

/** What is known of the slot once all is over. */
function outcome(world: TurnWorld) {
  const card = world.items().find((item): item is ItemOf<'stopped'> => item.kind === 'stopped');
  const proofs = world.events.filter((event) => event.type === 'stop/proved');
  return { ending: world.ending(), card, proofs, suspect: world.slots.suspect(model.name) };
}

/** Counts the proofs, and holds each back until the test lets it go. */
function heldProof(world: TurnWorld) {
  const begun = Promise.withResolvers<void>();
  const proof = Promise.withResolvers<SlotProof>();
  const held = { begun: begun.promise, count: 0, end: () => proof.resolve(answered) };
  world.onProve = () => {
    held.count += 1;
    begun.resolve();
    return proof.promise;
  };
  return held;
}

/** Answers so without end; what comes before it is answered as it is. */
function circling(world: TurnWorld, before: ScriptedReply[] = []): void {
  const others = [...before];
  world.provider = {
    async *stream() {
      yield { type: 'opened' };
      const other = others.shift();
      if (other) yield* other as ReplyEvent[];
      else for (;;) yield text('I will read the file now and tell you what it says. ');
    },
  };
}

describe('Stop while the slot of a cut reply is proved', () => {
  it.each([
    ['an answer', () => new TurnWorld(), []],
    ['a plan', () => planning({}), [analysis('no')]],
  ] as const)(
    'ends the turn at once, and that proof is the one of the stop: %s',
    async (_, create, before) => {
      const world = create();
      circling(world, [...before]);
      const proof = heldProof(world);
      const stopped = Promise.withResolvers<void>();
      world.onEvent = (event) => {
        if (event.type === 'turn/stopped') stopped.resolve();
      };
      const run = world.run();
      await Promise.race([proof.begun, run]);
      world.stop();
      await stopped.promise;
      await yieldToOthers();
      // Nobody else uses the GPU before it is known whether the slot is there.
      expect(world.released).toBe(0);
      proof.end();
      await run;
      expect(outcome(world)).toMatchObject({
        ending: 'turn/stopped',
        // The cut had closed the connection, not the stop.
        card: { closedMs: null, during: 'text' },
        proofs: [{ slot: 'sound', keptTokens: 900 }],
        suspect: false,
      });
      expect([proof.count, world.released]).toEqual([1, 1]);
      expect(world.messages.at(-1)?.role).toBe('assistant');
    },
  );
});

/** The person asks for a summary, in a session that has something to summarise. */
async function compaction(reply: ScriptedReply): Promise<TurnWorld> {
  const world = await after(full, { compactAt: 0 }, reply);
  return Object.assign(world, {
    async run() {
      const input = {
        sessionId: 's',
        turnId: 't9',
        profileId: 'test',
        message: personMessage(''),
        mayPlan: false,
      };
      await runCompaction(input, world.ports(), world.controller.signal);
    },
  });
}

/** Stops as the stream waits for its next line. */
function stopInStream(world: TurnWorld, events: ReplyEvent[], reason?: AppClosed): void {
  world.provider = {
    async *stream(_request, signal) {
      yield* events;
      queueMicrotask(() => world.stop(reason));
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw signal.reason;
    },
  };
}

const opened: ReplyEvent = { type: 'opened' };

describe('Stop while a stream is open', () => {
  it.each([
    ['a summary before a turn', () => after(full, {})],
    ['a summary that the person asked for', () => compaction([])],
    ['a reply of which nothing can be shown yet', async () => new TurnWorld()],
    ['an answer', async () => new TurnWorld()],
  ] as const)('has its slot proved once lines have come: %s', async (what, create) => {
    const world = await create();
    const proof = heldProof(world);
    stopInStream(
      world,
      what === 'a reply of which nothing can be shown yet' ? [opened] : [opened, text('So')],
    );
    const run = world.run();
    await Promise.race([proof.begun, run]);
    expect(world.slots.suspect(model.name)).toBe(true);
    const held = world.leases - world.released;
    proof.end();
    await run;
    expect(held).toBe(1);
    expect(outcome(world)).toMatchObject({
      ending: 'turn/stopped',
      card: { closedMs: 0 },
      proofs: [{ slot: 'sound' }],
      suspect: false,
    });
    expect(proof.count).toBe(1);
  });

  it.each([
    ['a summary before a turn', () => after(full, {})],
    ['a summary that the person asked for', () => compaction([])],
    ['an answer', async () => new TurnWorld()],
  ] as const)('starts no proof before the first line: %s', async (_, create) => {
    const world = await create();
    const proof = heldProof(world);
    stopInStream(world, []);
    await world.run();
    expect(world.events).toContainEqual({ type: 'turn/phase', phase: 'stopping' });
    expect(outcome(world)).toMatchObject({
      card: { closedMs: 0 },
      proofs: [{ slot: 'sound' }],
      suspect: false,
    });
    expect(proof.count).toBe(0);
  });

  it('has its slot proved behind the answer too, where the summary for the next message is stopped', async () => {
    const world = await after(full.slice(0, 1), {}, [text(words(900)), done()]);
    const proof = heldProof(world);
    world.onEvent = (event) => {
      if (event.type === 'turn/finished') stopInStream(world, [opened, text('So')]);
    };
    const run = world.run();
    await Promise.race([proof.begun, run]);
    expect(world.released).toBe(world.leases - 1);
    proof.end();
    await run;
    expect(outcome(world)).toMatchObject({ ending: 'turn/finished', suspect: false });
    expect(proof.count).toBe(1);
  });

  it('has it proved on the card of the turn, where the stream was a subagent’s on its lease', async () => {
    const turn = agentTurn([[text('I look'), 'hang']]);
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'I look') turn.stop();
    };
    const proof = heldProof(turn);
    const run = turn.run();
    await Promise.race([proof.begun, run]);
    expect(turn.released).toBe(turn.leases - 1);
    proof.end();
    await run;
    expect(outcome(turn)).toMatchObject({
      card: { closedMs: expect.any(Number) },
      proofs: [{ slot: 'sound' }],
      suspect: false,
    });
  });

  it('tells no closed connection, and proves nothing, where the reply was complete before it', async () => {
    const world = new TurnWorld([text('Yes'), done()]);
    const proof = heldProof(world);
    world.onEvent = (event) => {
      if (event.type === 'usage/measured') world.stop();
    };
    await world.run();
    expect(proof.count).toBe(0);
    expect(world.slots.suspect(model.name)).toBe(false);
  });
});

describe('a question outside of a turn that is called off', () => {
  const asks = {
    'beside a conversation': async (run, signal) => {
      const messages = [{ role: 'user' as const, content: 'What is there to remember?' }];
      await askSide({ purpose: 'memory', messages, maxTextTokens: 800, temperature: 0.3 }, run, signal);
    },
    'of an exam': async ({ setting, model: port, tools, out }, signal) => {
      const [question] = questions;
      if (!question) throw new Error('There is nothing to ask.');
      const asked = { ...setting, mode: 'native', text: question.text, signal } as const;
      const ears = { usage: () => undefined, writing: () => undefined };
      const { clock, newId, reportBug: onInternalError } = out;
      const parts = { ...port, tools: tools.tools, clock, newId, onInternalError };
      await askQuestion(question, examRun(asked, parts, ears), signal);
    },
  } satisfies Record<string, (run: Run, signal: AbortSignal) => Promise<void>>;

  it.each(Object.entries(asks))(
    'leaves the slot under suspicion once lines have come: %s',
    async (_, ask) => {
      for (const [events, suspect] of [
        [[opened], true],
        [[], false],
      ] as const) {
        const world = new TurnWorld();
        const { signal } = world.controller;
        const waiting = waitingRun('t', world.ports(), signal);
        const run = { ...waiting, setting: await takeSetting(waiting.model.active(), '', waiting, signal) };
        stopInStream(world, [...events]);
        await expect(ask(run, signal)).rejects.toThrow('Stopped by the user.');
        expect(world.slots.suspect(model.name)).toBe(suspect);
      }
    },
  );
});

it('A summary that ends because Andiron is closed says so on its card', async () => {
  const world = await compaction([]);
  stopInStream(world, [opened, text('So')], new AppClosed());
  await world.run();
  expect(outcome(world).card).toMatchObject({ appClosed: true, during: 'compacting' });
});
