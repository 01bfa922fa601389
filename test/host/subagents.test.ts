import { describe, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import type { TurnEvent } from '../../src/protocol/events.ts';
import type { Profile } from '../../src/protocol/model.ts';
import { AgentWorld, parentTools, persona, problemsOf, spawn } from '../helpers/agent-world.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  thinking,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

/** The parent spawns, the subagent does this, the parent answers. */
function world(subagent: ScriptedReply[], args: Record<string, unknown> = {}): AgentWorld {
  return new AgentWorld([spawn(args), done()], ...subagent, [text('All is well.'), done()]);
}

const answer: ScriptedReply = [text('It is line 7.'), done({ outputTokens: 5 })];

function other(changes: Partial<Profile> = {}): Profile {
  return profile({
    id: 'other',
    name: 'Other',
    systemPrompt: 'You are another.',
    tools: ['echo'],
    ...changes,
  });
}

describe('a subagent', () => {
  it('does its work with a log of its own and gives its answer to the parent (A3, A4)', async () => {
    const turn = world([[call('echo'), done()], answer]);
    await turn.run();
    expect(turn.result()).toBe(
      'The subagent has finished. The user cannot see its answer: tell them what matters of it.\n\nIt is line 7.',
    );
    expect(turn.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(turn.ending()).toBe('turn/finished');
    expect(problemsOf(turn)).toEqual([]);
    assertValidHistory(turn.messages);
  });

  it("sends the parent's exact head; task and briefing stand in its message (A5, design 4)", async () => {
    const turn = world([answer]);
    await turn.run();
    const [parent, agent] = turn.requests;
    expect(JSON.stringify(agent?.head)).toBe(JSON.stringify(parent?.head));
    expect(agent?.messages).toHaveLength(1);
    expect(agent?.messages[0]?.content).toContain('Task:\nFind the bug.');
    expect(agent?.messages[0]?.content).toContain('What is known:\nIt is in a.ts.');
    expect(agent).toMatchObject({ model: parent?.model, plan: parent?.plan, think: parent?.think });
  });

  it('only ever grows its own prompt, each call with its result (X12 a)', async () => {
    const turn = world([[call('echo'), call('touch'), done()], [call('echo'), done()], answer]);
    await turn.run();
    const sent = turn.requests.slice(1, 4).map(({ messages }) => messages);
    for (const [index, messages] of sent.entries()) {
      assertValidHistory(messages);
      expect(messages.slice(0, sent[index - 1]?.length ?? 0)).toEqual(sent[index - 1] ?? []);
    }
    expect(sent.at(-1)).toHaveLength(6);
  });

  it('has the tools that the profile lists for its subagents, else those of the profile (A6)', async () => {
    const turn = world([[call('touch'), done()], answer]);
    turn.active = profile({ tools: parentTools, subagentTools: ['echo', 'spawn_agent'] });
    await turn.run();
    expect(turn.requests[1]?.head.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(turn.requests[1]?.head.system).toBe(turn.requests[0]?.head.system);
    expect(turn.executed).toEqual([]);
  });

  it('has the prompt of the profile for its subagents in place of persona and prompt (A5)', async () => {
    const turn = world([answer]);
    turn.active = profile({ tools: parentTools, subagentPrompt: 'You help.' });
    await turn.run();
    expect(turn.requests[1]?.head.system).toBe('You help.');
    expect(turn.requests[1]?.head.tools.map(({ name }) => name)).toEqual(['echo', 'touch', 'list_profiles']);
  });

  it('has model, prompt, tools and limits of the profile that was named (A5)', async () => {
    const turn = world(
      [
        [call('echo'), done()],
        [call('echo'), done()],
      ],
      { profile_id: 'other' },
    );
    turn.use(other({ models: ['big'], subagentMaxIterations: 2 }));
    await turn.run();
    expect(turn.requests[1]).toMatchObject({ model: 'big' });
    expect(turn.requests[1]?.head.system).toBe(`${persona}\n\n---\n\nYou are another.`);
    expect(turn.agents()).toMatchObject([
      { profileId: 'other', model: 'big', stopReason: 'iteration_limit' },
    ]);
  });

  it('stays on the model that is loaded where its profile names none', async () => {
    const turn = world([answer], { profile_id: 'other' });
    turn.use(other());
    await turn.run();
    expect(turn.gpu).toEqual(['+test-model', '-test-model']);
  });

  it('of a profile that does not exist is a failed call that names those there are', async () => {
    const turn = new AgentWorld([spawn({ profile_id: 'nope' }), done()], [text('Then not.'), done()]);
    await turn.run();
    expect(turn.result()).toBe('Error: there is no profile nope. The profiles are: test.');
    expect(turn.agents()).toEqual([]);
  });

  it("works in the parent's workspace, on its todo list and notepad, under its session (P2, A7, A8)", async () => {
    const turn = world([[call('echo'), done()], answer]);
    let seen: unknown;
    turn.onExecute = async (_name, { workspace, sessionId, data }) => {
      data.writeScratchpad({ found: 'line 7' });
      seen = { workspace, sessionId };
      return '';
    };
    await turn.run();
    expect(seen).toEqual({ workspace: '/work', sessionId: 's' });
    expect(turn.data.readScratchpad()).toEqual({ found: 'line 7' });
  });

  it('spawns none itself, and is told so (design 4)', async () => {
    const turn = world([[spawn(), done()], answer]);
    await turn.run();
    expect(turn.requests[2]?.messages.at(-1)?.content).toBe(
      'Error: a subagent cannot start another one. Do this yourself.',
    );
    expect(turn.agents()).toHaveLength(1);
  });

  it('keeps the profile it was spawned with, and the session keeps its own (A9)', async () => {
    const turn = world([[call('switch_profile', { profile_id: 'other' }), done()], answer]);
    turn.use(other());
    await turn.run();
    expect(turn.requests[2]?.messages.at(-1)?.content).toContain('a subagent keeps its profile');
    expect(turn.active.id).toBe('test');
  });

  it('has ids of its own for its calls, so that the journal tells them apart', async () => {
    const turn = world([[call('echo', {}, 'call_0'), done()], [call('touch', {}, 'call_0'), done()], answer]);
    await turn.run();
    expect(turn.internalErrors).toEqual([]);
    expect(turn.journal).toHaveLength(3);
    expect(turn.ending()).toBe('turn/finished');
  });

  it('never asks less than the profile of the session does', async () => {
    const turn = world([[call('echo'), done()], answer], { profile_id: 'other' });
    turn.active = profile({ tools: parentTools, approvals: 'ask' });
    turn.use(other({ approvals: 'auto_read' }));
    await turn.run();
    expect(turn.asked.map((asked) => asked.profile.approvals)).toEqual(['ask', 'ask']);
  });
});

describe('what is told of a subagent (G3)', () => {
  it('comes live, marked with the call whose card it belongs to', async () => {
    const turn = world([[thinking('Hm.'), call('echo'), done({ outputTokens: 3 })], answer]);
    await turn.run();
    expect(turn.nested().map((item) => [item.kind, item.parentCallId])).toEqual([
      ['thinking', 'call_0'],
      ['tool', 'call_0'],
      ['text', 'call_0'],
    ]);
    const usage = turn.events.flatMap((event) => (event.type === 'usage/measured' ? [event.usage] : []));
    expect(usage.map(({ parentCallId, iteration }) => [parentCallId, iteration])).toEqual([
      [undefined, 1],
      ['call_0', 0],
      ['call_0', 0],
      [undefined, 2],
    ]);
  });

  it('is no turn of its own: only its phases are told as such, and the card says how far it is', async () => {
    const turn = world([[call('echo'), done({ outputTokens: 3 })], answer]);
    await turn.run();
    const turns = turn.types().filter((type) => type.startsWith('turn/') && type !== 'turn/phase');
    expect(turns).toEqual(['turn/started', 'turn/model', 'turn/finished', 'turn/closed']);
    const told = turn.events.flatMap((event) => (event.type === 'agent/changed' ? [event] : []));
    expect(
      told.map(({ agent }) => [agent.state, agent.iterations, agent.toolCalls, agent.outputTokens]),
    ).toEqual([
      ['waiting', 0, 0, null],
      ['waiting', 0, 0, null],
      ['running', 0, 0, null],
      ['running', 1, 0, 3],
      ['running', 1, 1, 3],
      ['running', 2, 1, 8],
      ['ended', 2, 1, 8],
    ]);
    const [card] = turn.items().filter((item) => item.kind === 'tool');
    expect(new Set(told.map(({ itemId }) => itemId))).toEqual(new Set([card?.id]));
    expect(told[0]?.agent.id).toMatch(/^subagent_/);
  });

  it("leaves the session's own window as it is", async () => {
    const turn = world([[text('It is line 7.'), done({ promptTokens: 999 })]]);
    await turn.run();
    expect(turn.types()).not.toContain('context/measured');
  });

  it('asks the person about its tools in the card of the tool, and says what was declined', async () => {
    const turn = world([[call('touch'), done()], answer]);
    turn.decision = ({ item }) => (item.tool === 'touch' ? 'deny' : 'allow');
    await turn.run();
    expect(turn.executed).toEqual([]);
    const finished = turn.events.flatMap((event) => (event.type === 'tool/finished' ? [event.state] : []));
    expect(finished).toEqual(['declined', 'done']);
  });

  it('comes back to the phase of the call', async () => {
    const turn = world([answer]);
    await turn.run();
    const phases = turn.events.flatMap((event) => (event.type === 'turn/phase' ? [event.phase] : []));
    expect(phases.slice(phases.indexOf('tool'))).toEqual([
      'tool',
      'lease',
      'prefill',
      'text',
      'tool',
      'prefill',
      'text',
    ]);
  });
});

describe('the GPU of a run and its subagent', () => {
  it('is shared on the same model: one lease', async () => {
    const turn = world([[call('echo'), done()], answer]);
    await turn.run();
    expect(turn.gpu).toEqual(['+test-model', '-test-model']);
  });

  it('is given up for another model, and taken again before the next request of the parent', async () => {
    const turn = world([answer], { profile_id: 'other' });
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
    expect(turn.gpu).toEqual([
      ...['+test-model', '-test-model', '+big', '-big', '+big', '-big', '+test-model', '-test-model'],
    ]);
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
    const turn = world([[text('It is'), new AndironError('stream_cut', 'broke')], answer]);
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
    const turn = world([answer], { profile_id: 'other' });
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
    const turn = world([answer], { profile_id: 'other' });
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
  const report = (turn: AgentWorld) => turn.result().split('\n');

  it('at its step limit, after exactly so many requests (X12 h)', async () => {
    const turn = world(
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
    expect(report(turn)).toEqual([
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
    const turn = world([[call('echo'), done()]], { max_iterations: 50 });
    turn.active = profile({ tools: parentTools, subagentMaxIterations: 1 });
    await turn.run();
    expect(turn.agents()[0]).toMatchObject({ stopReason: 'iteration_limit', iterations: 1 });
  });

  it('at its wall clock: the request is closed and the parent goes on', async () => {
    const turn = world([[text('Hm'), 'hang']]);
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
    const turn = world([[call('touch'), done()], answer]);
    turn.decision = ({ item }) => {
      if (item.tool === 'touch') turn.clock.skip(299_000_000);
      return 'allow';
    };
    await turn.run();
    expect(turn.agents()[0]?.stopReason).toBe('completed');
  });

  it('when it only thinks for 60 s', async () => {
    const turn = world([[thinking('Hm'), 'hang']]);
    turn.onEvent = (event) => {
      if (event.type === 'item/delta' && event.text === 'Hm') queueMicrotask(() => turn.clock.skip(60_000));
    };
    await turn.run();
    expect(turn.agents()[0]?.stopReason).toBe('stalled');
    expect(turn.result()).toContain('only thought');
  });

  it('when it thinks 12,000 characters, and not one less', async () => {
    const [stalled, goesOn] = [
      world([[thinking('x'.repeat(12_000)), text('So.'), done()]]),
      world([[thinking('x'.repeat(11_999)), text('So.'), done()]]),
    ];
    await Promise.all([stalled.run(), goesOn.run()]);
    expect(stalled.agents()[0]?.stopReason).toBe('stalled');
    expect(goesOn.agents()[0]?.stopReason).toBe('completed');
  });

  it('when it fails: the error stands in its card, and the parent goes on', async () => {
    const turn = world([
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
    const turn = world([
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
    const turn = world([answer]);
    turn.onEvent = (event) => {
      if (event.type === 'turn/finished') turn.running.stop('call_0');
    };
    await turn.run();
    turn.running.stop('call_0');
    expect(turn.ending()).toBe('turn/finished');
  });

  it('of the turn ends the subagent first, with one result for its call', async () => {
    const turn = world([[text('I look'), 'hang']]);
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

  it('while it waits for the GPU leaves the queue', async () => {
    const turn = world([], { profile_id: 'other' });
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
    const turn = world([[text('I'), new TypeError('bug')]]);
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

describe('profiles as tools', () => {
  it('switch_profile is in force from the next iteration on (F10)', async () => {
    const turn = new AgentWorld(
      [call('switch_profile', { profile_id: 'other' }), done()],
      [text('Here.'), done()],
    );
    turn.use(other());
    await turn.run();
    expect(turn.result('switch_profile')).toBe('The profile is other from the next step on.');
    expect(turn.requests.map(({ head }) => head.tools.length)).toEqual([parentTools.length, 1]);
    expect(turn.items().some((item) => item.kind === 'switch')).toBe(true);
  });

  it('switch_profile to one that does not exist changes nothing', async () => {
    const turn = new AgentWorld(
      [call('switch_profile', { profile_id: 'nope' }), done()],
      [text('Well.'), done()],
    );
    await turn.run();
    expect(turn.result('switch_profile')).toBe('Error: there is no profile nope.');
    expect(turn.active.id).toBe('test');
  });

  it('list_profiles names each with what it is for, and the current one', async () => {
    const turn = new AgentWorld([call('list_profiles'), done()], [text('Two.'), done()]);
    turn.use(other({ description: 'Another.' }));
    await turn.run();
    expect(turn.result('list_profiles')).toBe('test (current): \nother: Another.');
  });
});
