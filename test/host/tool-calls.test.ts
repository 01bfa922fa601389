/** Calls of a reply in the loop (G, P6, P7, H6, Q2, Q3): order, ids, texts, retries, the journal, and what a stop leaves. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AndironError } from '../../src/protocol/errors.ts';
import type { ModelCall } from '../../src/host/providers/provider.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { ToolFailure, type Tool, type ToolResult } from '../../src/host/tools/tool.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { World } from '../helpers/host-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  TurnWorld,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

const answer: ScriptedReply = [text('Done.'), done()];
const cancelled = 'operation cancelled by user';

interface Behaviour {
  retrySafe?: boolean;
  execute: () => Promise<ToolResult>;
}

/** A world whose profile has one tool, `probe`, which does this. */
function probing({ retrySafe = false, execute }: Behaviour, ...replies: ScriptedReply[]): TurnWorld {
  const world = new TurnWorld(...replies);
  world.active = profile({ tools: ['probe', 'echo'], iterationBudgetEnabled: false });
  world.moreTools.push(probe(retrySafe, execute));
  return world;
}

const probe = (retrySafe: boolean, execute: Behaviour['execute']): Tool =>
  defineTool({
    name: 'probe',
    description: 'Probes.',
    parameters: z.object({ depth: z.int() }),
    mutates: !retrySafe,
    retrySafe,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1_000,
    subject: () => 'probe',
    need: () => ({ risk: 'read', summary: 'probe', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute,
  });

const said = (ok: boolean, content: string): ToolResult => ({ ok, content, display: null });
const once: ScriptedReply[] = [[call('probe', { depth: 1 }, 'a'), done()], answer];
const results = (world: TurnWorld): string[] =>
  world.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));

/** A world whose tool ends only when its time is up. */
function timingOut(retrySafe: boolean): { world: TurnWorld; runs: () => number } {
  const clock = skippableClock();
  const world = new TurnWorld([call('slow', {}, 'a'), done()], answer);
  let runs = 0;
  world.active = profile({ tools: ['slow'], iterationBudgetEnabled: false });
  world.moreTools.push(
    defineTool(
      {
        name: 'slow',
        description: 'Slow.',
        parameters: z.object({}),
        mutates: !retrySafe,
        retrySafe,
        risk: 'read',
        about: 'outside',
        timeoutMs: 1_000,
        subject: () => '',
        need: () => ({ risk: 'read', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
        execute: (_args, { signal }) =>
          new Promise((_resolve, reject) => {
            runs += 1;
            signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
            clock.skip(1_000);
          }),
      },
      clock,
    ),
  );
  return { world, runs: () => runs };
}

describe('the result that the model reads', () => {
  it('of a tool that threw is "Tool error: …", and the turn goes on (G5, P7)', async () => {
    const world = probing({ execute: () => Promise.reject(new Error('the socket is gone')) }, ...once);
    await world.run();
    expect(results(world)).toEqual(['Tool error: the socket is gone']);
    expect(world.ending()).toBe('turn/finished');
  });

  it.each<[string, () => Promise<ToolResult>]>([
    ['said so itself', async () => said(false, 'no such host')],
    ['refused in its own words', () => Promise.reject(new ToolFailure('no such host'))],
  ])('of a tool that %s is "Error: …" (G10, P7)', async (_, execute) => {
    const world = probing({ execute }, ...once);
    await world.run();
    expect(results(world)).toEqual(['Error: no such host']);
  });

  it.each<[string, ScriptedReply[0], RegExp]>([
    [
      'a tool that does not exist',
      call('nope', {}, 'a'),
      /^Tool error: there is no tool named nope\. The tools are: probe, echo\./,
    ],
    [
      'arguments that are missing',
      call('probe', {}, 'a'),
      /^Tool error: probe was not run: depth is missing/,
    ],
    [
      'arguments that are wrong',
      call('probe', { depth: 'deep' }, 'a'),
      /^Tool error: probe was not run: depth: /,
    ],
  ])('of %s is a Tool error that says what is expected (G5, P7)', async (_, made, expected) => {
    const world = probing(
      { execute: async () => said(true, 'never') },
      [made, call('echo', {}, 'b'), done()],
      answer,
    );
    await world.run();
    expect(results(world)[0]).toMatch(expected);
    expect(world.ending()).toBe('turn/finished');
  });

  it('of a tool that ran too long is a Tool error (P7)', async () => {
    const { world } = timingOut(false);
    await world.run();
    expect(results(world)[0]).toMatch(/^Tool error: it was ended after 1 s/);
  });

  it.each([
    [8_000, 'x'.repeat(8_000)],
    [8_001, `${'x'.repeat(8_000)}\n... [truncated]`],
  ])('of %i characters is cut behind 8,000 (G10, X12 l)', async (length, read) => {
    const world = probing({ execute: async () => said(true, 'x'.repeat(length)) }, ...once);
    await world.run();
    expect(results(world)).toEqual([read]);
  });
});

/** Fails so often, then works. */
const flaky = (failures: number, fail: () => Promise<ToolResult>) => {
  let runs = 0;
  return {
    runs: () => runs,
    execute: async () => ((runs += 1) <= failures ? fail() : said(true, 'there')),
  };
};
const thrown = (): Promise<ToolResult> => Promise.reject(new Error('reset'));
const answered = async (): Promise<ToolResult> => said(false, 'not found');

describe('a tool that broke', () => {
  it.each<[string, boolean, () => Promise<ToolResult>, number, number, string]>([
    ['and may be repeated runs once more', true, thrown, 1, 2, 'there'],
    ['twice is not run a third time', true, thrown, 9, 2, 'Tool error: reset'],
    ['and changes something runs once', false, thrown, 1, 1, 'Tool error: reset'],
    ['in its own words runs once', true, answered, 1, 1, 'Error: not found'],
  ])('%s (G8, P6, W1)', async (_, retrySafe, fail, failures, runs, result) => {
    const tool = flaky(failures, fail);
    const world = probing({ retrySafe, execute: tool.execute }, ...once);
    await world.run();
    expect([tool.runs(), results(world)]).toEqual([runs, [result]]);
  });

  it('a tool that timed out is not run again, since it would only time out once more (audit-S22)', async () => {
    const { world, runs } = timingOut(true);
    await world.run();
    expect(runs()).toBe(1);
    expect(results(world)[0]).toMatch(/^Tool error: it was ended after 1 s/);
  });

  it('is not repeated behind a stop', async () => {
    let runs = 0;
    const world = probing(
      {
        retrySafe: true,
        execute: () => {
          runs += 1;
          world.stop();
          return Promise.reject(new Error('reset'));
        },
      },
      ...once,
    );
    await world.run();
    expect([runs, results(world)]).toEqual([1, [cancelled]]);
  });

  it('in the same way twice is not run a third time, and the model is told (W10)', async () => {
    let runs = 0;
    const again: ScriptedReply = [call('probe', { depth: 1 }), done()];
    const world = probing(
      { execute: () => ((runs += 1), Promise.reject(new Error('reset'))) },
      again,
      again,
      again,
      answer,
    );
    await world.run();
    expect(runs).toBe(2);
    expect(results(world)[2]).toMatch(/^Tool error: this call was not run: it has failed/);
    expect(world.items()).toContainEqual(expect.objectContaining({ kind: 'note', note: 'repeat' }));
  });
});

describe('order and ids', () => {
  it('calls run one after another, each to its end before the next begins (G1)', async () => {
    const log: string[] = [];
    const world = new TurnWorld(
      [call('echo', {}, 'a'), call('touch', {}, 'b'), call('echo', { value: '2' }, 'c'), done()],
      answer,
    );
    world.onExecute = async (name) => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      return 'ok';
    };
    await world.run();
    expect(log).toEqual([
      'echo begins',
      'echo ends',
      'touch begins',
      'touch ends',
      'echo begins',
      'echo ends',
    ]);
  });

  it('one message with the text and all calls, then all results (Q2, Q3, F6)', async () => {
    const world = new TurnWorld(
      [text('I look.'), call('echo', {}, 'a'), call('touch', {}, 'b'), done()],
      answer,
    );
    await world.run();
    expect(world.messages.slice(1, 4)).toMatchObject([
      { role: 'assistant', content: 'I look.', calls: [{ id: 'a' }, { id: 'b' }] },
      { role: 'tool', callId: 'a' },
      { role: 'tool', callId: 'b' },
    ]);
  });

  it("the model's own id is kept, and one of ours stands where it has none or repeats itself (G4, G6, P14)", async () => {
    const world = new TurnWorld(
      [call('echo', {}, 'mine'), call('echo', { value: '1' }), call('echo', { value: '2' }, ''), done()],
      [call('echo', { value: '3' }, 'mine'), done()],
      answer,
    );
    await world.run();
    const ids = world.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []));
    expect(ids[0]).toBe('mine');
    expect(ids.slice(1)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^tool_[0-9a-f]{12}$/)),
    );
    expect(new Set(ids).size).toBe(4);
    assertValidHistory(world.messages);
  });

  it('the reply is on record before a tool begins, and each call before it runs (G6)', async () => {
    const world = new TurnWorld([call('echo', {}, 'a'), done()], answer);
    const begun: ModelCall[] = [];
    const seen: string[] = [];
    const ports = world.ports();
    const journal = { ...ports.history.journal, started: (made: ModelCall) => void begun.push(made) };
    world.ports = () => ({ ...ports, history: { ...ports.history, journal } });
    world.onExecute = async () => {
      seen.push(...world.messages.map(({ role }) => role), ...begun.map(({ id }) => id));
      return 'ok';
    };
    await world.run();
    expect(seen).toEqual(['user', 'assistant', 'tool', 'a']);
  });
});

describe('a stop among the calls (H6, Q16)', () => {
  it('while the second of three runs: its result and the third are cancelled, the first stays', async () => {
    const world = new TurnWorld([
      call('echo', {}, 'a'),
      call('touch', {}, 'b'),
      call('echo', { value: '2' }, 'c'),
      done(),
    ]);
    world.onExecute = async (name) => {
      if (name === 'touch') world.stop();
      return 'fine';
    };
    await world.run();
    expect(results(world)).toEqual(['fine', cancelled, cancelled]);
    expect(world.executed).toEqual(['echo', 'touch']);
    const states = world.events.flatMap((event) => (event.type === 'tool/finished' ? [event.state] : []));
    expect(states).toEqual(['done', 'stopped', 'stopped']);
    expect(world.ending()).toBe('turn/stopped');
    assertValidHistory(world.messages);
    expect(world.messages.at(-1)).toMatchObject({ role: 'assistant', content: '(stopped by the user)' });
  });

  it('while the person is asked: the call is cancelled and never runs', async () => {
    const world = new TurnWorld([call('touch', {}, 'a'), call('echo', {}, 'b'), done()]);
    world.decision = () => {
      world.stop();
      throw new AndironError('cancelled', 'Stopped by the user.');
    };
    await world.run();
    expect([world.executed, results(world)]).toEqual([[], [cancelled, cancelled]]);
  });
});

it('the journal has each call that ran, with how it ended and what the model read (G9)', async () => {
  const world = await World.start({
    files: { 'long.txt': 'line of text\n'.repeat(2_000) },
    sim: {
      script: sequence(
        reply().toolCall('read_file', { path: 'long.txt' }).toolCall('read_file', { path: 'none.txt' }),
        reply().text('Done.'),
      ),
    },
  });
  try {
    const session = await world.openSession();
    await session.ask('Read it');
    const database = openDatabase(`${world.dir}/data/andiron.db`);
    const row = z.object({ tool: z.string(), ok: z.number(), result: z.string(), ended_at: z.number() });
    const rows = database
      .query('SELECT tool, ok, result, ended_at FROM tool_calls ORDER BY started_at', row)
      .all();
    database.close();
    expect(rows.map(({ tool, ok }) => [tool, ok])).toEqual([['read_file', 1]]);
    expect(rows[0]?.result).toBe(session.items('tool')[0]?.result);
    expect(session.items('tool')[1]).toMatchObject({
      state: 'failed',
      result: expect.stringMatching(/^Error: /),
    });
  } finally {
    await world.close();
  }
});
