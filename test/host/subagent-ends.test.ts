/** The GPU that a subagent shares with its parent, and every way in which it can end. */
import { describe, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import type { TurnEvent } from '../../src/protocol/events.ts';
import {
  agentTurn,
  AgentWorld,
  answer,
  other,
  parentTools,
  problemsOf,
  spawn,
} from '../helpers/agent-world.ts';
import { assertValidHistory, call, done, profile, text, thinking, words } from '../helpers/turn-world.ts';

describe('the GPU of a run and its subagent', () => {
  it('is shared on the same model: one lease', async () => {
    const turn = agentTurn([[call('echo'), done()], answer]);
    await turn.run();
    expect(turn.gpu).toEqual(['+test-model', '-test-model']);
  });

  it('is given up for another model, and taken again before the next request of the parent', async () => {
    const turn = agentTurn([answer], { profile_id: 'other' });
    turn.use(other({ models: ['big'] }));
    await turn.run();
    expect(turn.gpu).toEqual(['+test-model', '-test-model', '+big', '-big', '+test-model', '-test-model']);
    expect(turn.requests.map(({ model }) => model)).toEqual(['test-model', 'big', 'test-model']);
    expect(turn.events.flatMap((event) => (event.type === 'turn/model' ? [event.model] : []))).toEqual([
      'test-model',
      'test-model',
    ]);
  });

  it('is not taken back between two subagents that both need another model', async () => {
    const args = { profile_id: 'other' };
    const turn = new AgentWorld([spawn(args, 'a'), spawn(args, 'b'), done()], answer, answer, [
      text('Both.'),
      done(),
    ]);
    turn.use(other({ models: ['big'] }));
    await turn.run();
    expect(turn.gpu.join(' ')).toBe('+test-model -test-model +big -big +big -big +test-model -test-model');
    expect(problemsOf(turn)).toEqual([]);
  });

  it('is given back when the steps end with a subagent on another model', async () => {
    const turn = new AgentWorld([spawn({ profile_id: 'other' }), done()], answer);
    turn.active = profile({ tools: parentTools, maxIterations: 1 });
    turn.use(other({ models: ['big'] }));
    await turn.run();
    expect(turn.ending()).toBe('turn/capped');
    expect(turn.gpu).toEqual(['+test-model', '-test-model', '+big', '-big']);
  });

  it('that an answer of the subagent had to regain is what the parent goes on with', async () => {
    const turn = agentTurn([[text('It is'), new AndironError('stream_cut', 'broke')], answer]);
    turn.onRegain = async (lease) => ({
      lease: { ...lease, url: 'http://again' },
      loaded: true,
      versions: { before: '1', now: '1' },
    });
    await turn.run();
    expect(turn.requests.map(({ url }) => url)).toEqual([
      'http://engine',
      'http://engine',
      'http://again',
      'http://again',
    ]);
    expect(turn.leases).toBe(turn.released);
  });

  it('that the parent cannot get again fails its turn, and nothing is held', async () => {
    const turn = agentTurn([answer], { profile_id: 'other' });
    turn.use(other({ models: ['big'] }));
    turn.onAcquire = async (name) => {
      if (name === 'test-model' && turn.gpu.length > 0)
        throw new AndironError('engine_unavailable', 'It is gone.');
    };
    await turn.run();
    expect(turn.ending()).toBe('turn/failed');
    expect(turn.gpu).toEqual(['+test-model', '-test-model', '+big', '-big']);
    expect(problemsOf(turn)).toEqual([]);
  });

  it('follows a profile that was switched while the subagent had it', async () => {
    const turn = agentTurn([answer], { profile_id: 'other' });
    turn.use(other({ models: ['big'] }));
    turn.onAcquire = async (name) => {
      if (name === 'big') turn.active = profile({ id: 'third', tools: ['echo'], models: ['third-model'] });
    };
    await turn.run();
    expect(turn.gpu.slice(4)).toEqual(['+third-model', '-third-model']);
    expect(turn.items().find((item) => item.kind === 'switch')).toMatchObject({
      from: { model: 'test-model' },
      to: { model: 'third-model' },
    });
  });
});

describe('a subagent that does not finish tells the parent what it did (P3)', () => {
  it('a subagent whose answer was cut at its output limit says so, with its text (audit-A3)', async () => {
    const turn = agentTurn([[text('The first half'), done({}, 'length')]]);
    await turn.run();
    expect(turn.agents()[0]?.stopReason).toBe('output_limit');
    expect(turn.result()).toMatch(/^Error: the last reply of the subagent was cut at its output limit/);
    expect(turn.result()).toContain('The first half');
    expect(turn.ending()).toBe('turn/finished');
  });

  it('at its step limit, after exactly so many requests (X12 h)', async () => {
    const turn = agentTurn(
      [
        [text('Looking.'), call('echo', { value: 'a.ts' }), done()],
        [call('echo'), done()],
      ],
      {
        max_iterations: 2,
      },
    );
    await turn.run();
    expect(turn.requests).toHaveLength(4);
    expect(turn.result().split('\n')).toEqual([
      'Error: the subagent used up its steps before it had finished. Do the rest, or give it smaller steps. The user cannot see what it did; so far it is this.',
      '',
      'Tools that it called: 2.',
      '- echo a.ts (done)',
      '- echo  (done)',
      '',
      'What it wrote:',
      'Looking.',
    ]);
    expect(turn.agents()[0]?.stopReason).toBe('iteration_limit');
  });

  it('never with more steps than the profile allows its subagents', async () => {
    const turn = agentTurn([[call('echo'), done()]], { max_iterations: 50 });
    turn.active = profile({ tools: parentTools, subagentMaxIterations: 1 });
    await turn.run();
    expect(turn.agents()[0]).toMatchObject({ stopReason: 'iteration_limit', iterations: 1 });
  });

  it('at its wall clock: the request is closed and the parent goes on', async () => {
    const turn = agentTurn([[text('Hm'), 'hang']]);
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'Hm') queueMicrotask(() => turn.clock.skip(300_000));
    };
    await turn.run();
    expect(turn.result()).toContain('ran out of time');
    expect(turn.result()).toContain('What it wrote:\nHm');
    expect(turn.ending()).toBe('turn/finished');
    expect(turn.agents()[0]?.stopReason).toBe('timeout');
    expect(problemsOf(turn)).toEqual([]);
  });

  it('not for the time in which the person is asked', async () => {
    const turn = agentTurn([[call('touch'), done()], answer]);
    turn.decision = ({ item }) => {
      if (item.tool === 'touch') turn.clock.skip(299_000_000);
      return 'allow';
    };
    await turn.run();
    expect(turn.agents()[0]?.stopReason).toBe('completed');
  });

  it('when it only thinks for 60 s', async () => {
    const turn = agentTurn([[thinking('Hm'), thinking(' and hm'), 'hang']]);
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'Hm') turn.clock.skip(60_000);
    };
    await turn.run();
    expect(turn.agents()[0]?.stopReason).toBe('stalled');
    expect(turn.result()).toContain('only thought');
  });

  it('when it thinks 12,000 characters, and not one less', async () => {
    const [stalled, goesOn] = [
      agentTurn([[thinking(words(3_000).slice(0, 12_000)), text('So.'), done()]]),
      agentTurn([[thinking(words(3_000).slice(0, 11_999)), text('So.'), done()]]),
    ];
    await Promise.all([stalled.run(), goesOn.run()]);
    expect(stalled.agents()[0]?.stopReason).toBe('stalled');
    expect(goesOn.agents()[0]?.stopReason).toBe('completed');
  });

  it('a reply that runs in circles is cut, and the prompt of its parent is not read in between (audit-E4)', async () => {
    const turn = agentTurn([[thinking('Wait, that is not right, so once more. '.repeat(60))], answer]);
    let proved = 0;
    turn.onProve = async () => {
      proved += 1;
      return { found: 'answered', promptTokens: 9 };
    };
    await turn.run();
    expect(turn.agents()[0]?.stopReason).toBe('completed');
    expect(proved).toBe(0);
    expect(turn.slots.suspect('test-model')).toBe(false);
  });

  it('when it fails: the error stands in its card, and the parent goes on', async () => {
    const turn = agentTurn([
      [call('echo'), done()],
      [new AndironError('engine_refused', 'Compute error.', 'Wait.')],
    ]);
    await turn.run();
    expect(turn.result()).toContain('the subagent failed');
    expect(turn.result()).toContain('Compute error. Wait.');
    expect(turn.nested().at(-1)).toMatchObject({ kind: 'error', message: 'Compute error.' });
    expect(turn.ending()).toBe('turn/finished');
  });
});

describe('Stop', () => {
  it('of a subagent alone ends only it; the parent reads who stopped it and goes on', async () => {
    const turn = agentTurn([
      [call('echo'), done()],
      [text('I look'), 'hang'],
    ]);
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'I look') turn.running.stop('call_0');
    };
    await turn.run();
    expect(turn.result()).toContain('the user stopped the subagent');
    expect(turn.result()).toContain('- echo  (done)');
    expect(turn.nested().at(-1)).toMatchObject({ kind: 'stopped', during: 'text', model: 'test-model' });
    expect(turn.ending()).toBe('turn/finished');
    expect(problemsOf(turn)).toEqual([]);
  });

  it('of one that has ended, or never was, does nothing', async () => {
    const turn = agentTurn([answer]);
    turn.onEvent = (event) => {
      if (event.type === 'turn/finished') turn.running.stop('call_0');
    };
    await turn.run();
    turn.running.stop('call_0');
    expect(turn.ending()).toBe('turn/finished');
  });

  it('of the turn ends the subagent first, with one result for its call', async () => {
    const turn = agentTurn([[text('I look'), 'hang']]);
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'I look') turn.stop();
    };
    await turn.run();
    expect(turn.result()).toBe('operation cancelled by user');
    expect(turn.agents()[0]?.stopReason).toBe('stopped');
    expect(turn.items().at(-1)).toMatchObject({ kind: 'stopped', during: 'text', model: 'test-model' });
    expect(turn.ending()).toBe('turn/stopped');
    expect(problemsOf(turn)).toEqual([]);
    assertValidHistory(turn.messages);
  });

  it('of the turn is proved in the card of a subagent that had another model loaded', async () => {
    const turn = agentTurn([[text('I look'), 'hang']], { profile_id: 'other' });
    turn.use(other({ models: ['big'] }));
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'I look') turn.stop();
    };
    await turn.run();
    const proofs = turn.items().filter((item) => item.kind === 'stopped');
    expect(proofs).toMatchObject([
      { parentCallId: 'call_0', during: 'text', model: 'big' },
      { during: 'tool', model: 'test-model', closedMs: null },
    ]);
    expect([turn.slots.suspect('big'), turn.slots.suspect('test-model')]).toEqual([true, false]);
    expect(turn.leases).toBe(turn.released);
  });

  it('while it waits for the GPU leaves the queue', async () => {
    const turn = agentTurn([], { profile_id: 'other' });
    turn.use(other({ models: ['big'] }));
    turn.onAcquire = (name, signal) =>
      name !== 'big'
        ? Promise.resolve()
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
            turn.running.stop('call_0');
          });
    await turn.run();
    expect(turn.gpu).toEqual(['+test-model', '-test-model', '+test-model', '-test-model']);
    expect(turn.result()).toContain('the user stopped the subagent');
  });
});

/** A turn with two subagents, one of them on another model, that reaches every kind of event. */
function busy(): AgentWorld {
  const turn = new AgentWorld(
    [thinking('Hm.'), spawn({}, 'a'), spawn({ profile_id: 'other' }, 'b'), call('echo', {}, 'c'), done()],
    [thinking('Hm.'), call('touch'), done({ promptTokens: 9, outputTokens: 3 })],
    [text('One.'), done()],
    [text('I look.'), call('echo'), done()],
    [text('Two.'), done()],
    [text('Both.'), done()],
  );
  turn.use(other({ models: ['big'] }));
  return turn;
}

async function eventsOf(turn: AgentWorld): Promise<TurnEvent[]> {
  await turn.run();
  return turn.events;
}

describe('whatever happens, and wherever (A9, X12 n)', () => {
  it('a turn that is stopped at any event leaves nothing held, open or told too late', async () => {
    const count = (await eventsOf(busy())).length;
    for (let at = 0; at < count - 2; at += 1) {
      const turn = busy();
      turn.onEvent = () => turn.events.length === at + 1 && turn.stop();
      await turn.run();
      expect([at, problemsOf(turn)]).toEqual([at, []]);
      assertValidHistory(turn.messages);
    }
  });

  it('a subagent that is stopped at any event of its own leaves its parent as it was', async () => {
    const baseline = await eventsOf(busy());
    for (const callId of ['a', 'b']) {
      for (let at = 0; at < baseline.length; at += 1) {
        const turn = busy();
        turn.onEvent = () => turn.events.length === at + 1 && turn.running.stop(callId);
        await turn.run();
        expect([callId, at, problemsOf(turn)]).toEqual([callId, at, []]);
        expectParentAsItWas(turn);
      }
    }
  });

  const faults: [string, (turn: AgentWorld) => void][] = [
    ['the engine refuses', (turn) => (turn.onAcquire = refuse(new AndironError('engine_refused', 'No.')))],
    ['the engine throws a bug', (turn) => (turn.onAcquire = refuse(new TypeError('bug')))],
    ['the model is gone', (turn) => turn.missing.add('big')],
    ['its tool throws', (turn) => (turn.onExecute = async () => Promise.reject(new Error('broke')))],
    ['a tool takes its session for another', (turn) => (turn.decision = throwing)],
  ];
  it.each(faults)('a subagent leaves its parent as it was when %s', async (_what, inject) => {
    const turn = busy();
    inject(turn);
    await turn.run();
    expect(problemsOf(turn)).toEqual([]);
    expectParentAsItWas(turn);
  });

  it('a bug in the middle of a reply is logged, told to the parent, and nothing more (X12 n)', async () => {
    const turn = agentTurn([[text('I'), new TypeError('bug')]]);
    await turn.run();
    expect(turn.internalErrors).toHaveLength(1);
    expect(turn.result()).toContain('the subagent failed');
    expect(problemsOf(turn)).toEqual([]);
    expectParentAsItWas(turn);
  });
});

function refuse(error: Error) {
  return async (name: string): Promise<void> => {
    if (name === 'big') throw error;
  };
}

function throwing({ item }: { item: { tool: string } }): 'allow' {
  if (item.tool === 'touch') throw new Error('bug');
  return 'allow';
}

/** Its last request is made as its first one was, and its log goes on where it was. */
function expectParentAsItWas(turn: AgentWorld): void {
  expect(turn.ending()).toBe('turn/finished');
  const [first, last] = [turn.requests[0], turn.requests.at(-1)];
  expect(last?.head).toEqual(first?.head);
  expect(last).toMatchObject({ model: first?.model, plan: first?.plan, think: first?.think });
  expect(last?.messages.slice(0, 1)).toEqual(first?.messages);
  assertValidHistory(turn.messages);
}
