import { describe, expect, it } from 'vitest';
import type { PlanStep } from '../../src/protocol/model.ts';
import {
  agentTurn,
  AgentWorld,
  answer,
  other,
  parentTools,
  persona,
  problemsOf,
  spawn,
} from '../helpers/agent-world.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  thinking,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

describe('a subagent', () => {
  it('does its work with a log of its own and gives its answer to the parent (A3, A4)', async () => {
    const turn = agentTurn([[call('echo'), done()], answer]);
    await turn.run();
    expect(turn.result()).toBe(
      'The subagent has finished. The user cannot see its answer: tell them what matters of it.\n\nIt is line 7.',
    );
    expect(turn.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(turn.ending()).toBe('turn/finished');
    expect(problemsOf(turn)).toEqual([]);
    assertValidHistory(turn.messages);
  });

  it("sends the parent's exact head; task and briefing stand in its message (A5)", async () => {
    const turn = agentTurn([answer]);
    await turn.run();
    const [parent, agent] = turn.requests;
    expect(JSON.stringify(agent?.head)).toBe(JSON.stringify(parent?.head));
    expect(agent?.messages).toHaveLength(1);
    expect(agent?.messages[0]?.content).toContain('Task:\nFind the bug.');
    expect(agent?.messages[0]?.content).toContain('What is known:\nIt is in a.ts.');
    expect(agent).toMatchObject({ model: parent?.model, plan: parent?.plan, think: parent?.think });
  });

  it('only ever grows its own prompt, each call with its result (X12 a)', async () => {
    const turn = agentTurn([[call('echo'), call('touch'), done()], [call('echo'), done()], answer]);
    await turn.run();
    const sent = turn.requests.slice(1, 4).map(({ messages }) => messages);
    for (const [index, messages] of sent.entries()) {
      assertValidHistory(messages);
      expect(messages.slice(0, sent[index - 1]?.length ?? 0)).toEqual(sent[index - 1] ?? []);
    }
    expect(sent.at(-1)).toHaveLength(6);
  });

  it('has the tools that the profile lists for its subagents, else those of the profile (A6)', async () => {
    const turn = agentTurn([[call('touch'), done()], answer]);
    turn.active = profile({ tools: parentTools, subagentTools: ['echo', 'spawn_agent'] });
    await turn.run();
    expect(turn.requests[1]?.head.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(turn.requests[1]?.head.system).toBe(turn.requests[0]?.head.system);
    expect(turn.executed).toEqual([]);
  });

  it('has the prompt of the profile for its subagents in place of persona and prompt (A5)', async () => {
    const turn = agentTurn([answer]);
    turn.active = profile({ tools: parentTools, subagentPrompt: 'You help.' });
    await turn.run();
    expect(turn.requests[1]?.head.system).toBe('You help.');
    expect(turn.requests[1]?.head.tools.map(({ name }) => name)).toEqual(['echo', 'touch', 'list_profiles']);
  });

  it('has model, prompt, tools and limits of the profile that was named (A5)', async () => {
    const turn = agentTurn(
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
    const turn = agentTurn([answer], { profile_id: 'other' });
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

  it('has read nothing for its parent, nor for another subagent: each call says whose it is', async () => {
    const turn = new AgentWorld(
      [call('echo'), spawn(), done()],
      [call('echo'), done()],
      answer,
      [call('echo'), spawn(), done()],
      [call('echo'), done()],
      answer,
      [text('Done.'), done()],
    );
    const callers: (string | undefined)[] = [];
    turn.onExecute = async (name, { data: { agentId } }) => {
      if (name === 'echo') callers.push(agentId);
      return '';
    };
    await turn.run();
    const [parent, first, again, second] = callers;
    expect([parent, again]).toEqual([undefined, undefined]);
    expect(new Set([first, second, undefined]).size).toBe(3);
  });

  it("works in the parent's workspace, on its todo list and notepad, under its session (P2, A7, A8)", async () => {
    const turn = agentTurn([[call('echo'), done()], answer]);
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

  it('is told nothing beyond its task where the flags are off (X12 f)', async () => {
    const turn = agentTurn([answer], { task: 'Look.', briefing: '' });
    turn.active = profile({ tools: parentTools, iterationBudgetEnabled: false });
    await turn.run();
    expect(turn.requests[1]?.messages[0]?.content).toMatch(/end with the result\.\n\nTask:\nLook\.$/);
  });

  it('spawns none itself, and is told so', async () => {
    const turn = agentTurn([[spawn(), done()], answer]);
    await turn.run();
    expect(turn.requests[2]?.messages.at(-1)?.content).toBe(
      'Error: a subagent cannot start another one. Do this yourself.',
    );
    expect(turn.agents()).toHaveLength(1);
  });

  it('keeps the profile it was spawned with, and the session keeps its own (A9)', async () => {
    const turn = agentTurn([[call('switch_profile', { profile_id: 'other' }), done()], answer]);
    turn.use(other());
    await turn.run();
    expect(turn.requests[2]?.messages.at(-1)?.content).toContain('a subagent keeps its profile');
    expect(turn.active.id).toBe('test');
  });

  it('has ids of its own for its calls, so that the journal tells them apart', async () => {
    const turn = agentTurn([
      [call('echo', {}, 'call_0'), done()],
      [call('touch', {}, 'call_0'), done()],
      answer,
    ]);
    await turn.run();
    expect(turn.internalErrors).toEqual([]);
    expect(turn.journal).toHaveLength(3);
    expect(turn.ending()).toBe('turn/finished');
  });

  it('never asks less than the profile of the session does', async () => {
    const turn = agentTurn([[call('echo'), done()], answer], { profile_id: 'other' });
    turn.active = profile({ tools: parentTools, approvals: 'ask' });
    turn.use(other({ approvals: 'auto_read' }));
    await turn.run();
    expect(turn.asked.map((asked) => asked.profile.approvals)).toEqual(['ask', 'ask']);
  });

  it('changes no file unasked by a profile that may, where the profile of the session asks', async () => {
    const turn = agentTurn([[call('echo'), done()], answer], { profile_id: 'other' });
    turn.active = profile({ tools: parentTools, approvals: 'auto_read' });
    turn.use(other({ approvals: 'accept_edits' }));
    await turn.run();
    expect(turn.asked.map((asked) => asked.profile.approvals)).toEqual(['auto_read', 'auto_read']);
  });
});

describe('planning in a subagent (D1, P2)', () => {
  const plan: ScriptedReply[] = [
    [text('Goal: the bug.\nREFLECT: no'), done()],
    [text('1. Read a.ts (SELF)\n2. Say which line (SELF)'), done()],
  ];

  it('happens only where its profile says so of subagents too (E8)', async () => {
    const turn = agentTurn([answer], { profile_id: 'other' });
    turn.use(other({ planningEnabled: true }));
    await turn.run();
    expect(turn.requests).toHaveLength(3);
    expect(turn.requests[1]?.messages[0]?.content).not.toContain('REFLECT');
    expect(turn.nested().map(({ kind }) => kind)).toEqual(['text']);
  });

  it("stands below the step that its parent is at, and nothing of the parent's plan is lost", async () => {
    const turn = agentTurn([...plan, answer], { profile_id: 'other' });
    turn.use(other({ planningEnabled: true, subagentPlanningEnabled: true }));
    turn.data.setTodo({ steps: [{ ...step('1'), status: 'in_progress' }, step('2')] });
    await turn.run();
    expect(turn.nested().map(({ kind }) => kind)).toEqual(['plan', 'text']);
    expect(turn.data.todo().steps.map(({ parentId, text: said }) => [parentId, said])).toEqual([
      [null, 'Step 1'],
      ['1', 'Read a.ts'],
      ['1', 'Say which line'],
      [null, 'Step 2'],
    ]);
    expect(turn.types()).not.toContain('planning/status');
    expect(turn.agents()[0]).toMatchObject({ stopReason: 'completed', iterations: 1 });
  });
});

function step(id: string): PlanStep {
  return {
    id,
    text: `Step ${id}`,
    milestone: null,
    executor: { kind: 'self' },
    status: 'pending',
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
  };
}

describe('what is told of a subagent (G3)', () => {
  it('comes live, marked with the call whose card it belongs to', async () => {
    const turn = agentTurn([[thinking('Hm.'), call('echo'), done({ outputTokens: 3 })], answer]);
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
    const turn = agentTurn([[call('echo'), done({ outputTokens: 3 })], answer]);
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
    const card = turn.items().find((item) => item.kind === 'tool');
    expect(new Set(told.map(({ itemId }) => itemId))).toEqual(new Set([card?.id]));
    expect(told[0]?.agent.id).toMatch(/^subagent_/);
  });

  it("leaves the session's own window as it is", async () => {
    const turn = agentTurn([[text('It is line 7.'), done({ promptTokens: 999 })]]);
    await turn.run();
    expect(turn.types()).not.toContain('context/measured');
  });

  it('asks the person about its tools in the card of the tool, and says what was declined', async () => {
    const turn = agentTurn([[call('touch'), done()], answer]);
    turn.decision = ({ item }) => (item.tool === 'touch' ? 'deny' : 'allow');
    await turn.run();
    expect(turn.executed).toEqual([]);
    const finished = turn.events.flatMap((event) => (event.type === 'tool/finished' ? [event.state] : []));
    expect(finished).toEqual(['declined', 'done']);
  });

  it('comes back to the phase of the call', async () => {
    const turn = agentTurn([answer]);
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
