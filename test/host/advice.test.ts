/** What a model reads of its calls: what happened, and where it is not guided also what to do next. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { inWords, type Words } from '../../src/host/tools/advice.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { ToolFailure, type Tool, type ToolDefinition } from '../../src/host/tools/tool.ts';
import { call, done, profile, text, TurnWorld, type ScriptedReply } from '../helpers/turn-world.ts';

const message = 'what does it say?';

type With = Record<string, unknown>;
type Definition = ToolDefinition<z.ZodObject>;

const reply = (value: unknown) => [text(JSON.stringify(value)), done()];

/** It opens its turn, and makes these calls of `probe` one after another. */
const guided = (...calls: With[]): TurnWorld =>
  guidedBy(...calls.map((made) => reply({ call: 'probe', with: made })));

function guidedBy(...replies: ScriptedReply[]): TurnWorld {
  const opening = { steps: ['look', 'answer'].map((act) => ({ act, what: act })) };
  const world = new TurnWorld(reply(opening), ...replies);
  world.leased = { parameterSize: '630.17M' };
  return world;
}

const native = (...calls: With[]): TurnWorld =>
  new TurnWorld(...calls.map((made) => [call('probe', made), done()]));

function probe(more: Partial<Definition>): Tool {
  return defineTool({
    name: 'probe',
    description: 'Probe.',
    parameters: z.object({ value: z.string() }),
    mutates: false,
    retrySafe: false,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1_000,
    subject: () => 'it',
    need: () => ({ summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: async () => ({ ok: true, content: 'seen', display: null }),
    ...more,
  });
}

interface Around {
  count?: number;
  setUp?: ((world: TurnWorld) => void) | undefined;
}

/** Stops behind the last of its calls. Returns their results, as they stand in the log and on the cards. */
async function results(world: TurnWorld, tool: Tool, { count = 1, setUp }: Around = {}): Promise<string[]> {
  let left = count;
  world.moreTools.push(tool);
  setUp?.(world);
  world.active = profile({ tools: ['probe'], iterationBudgetEnabled: false });
  world.onEvent = ({ type }) => {
    if (type === 'tool/finished' && (left -= 1) === 0) world.stop();
  };
  await world.run(message);
  // The step that begins next stands behind a result.
  const read = world.messages.flatMap(({ role, content }) =>
    role === 'tool' ? content.replace(`\n\n${message}`, '') : [],
  );
  const shown = world.events.flatMap((event) => (event.type === 'tool/finished' ? event.result : []));
  expect(shown).toEqual(read);
  return read;
}

const failure = () =>
  Promise.reject(new ToolFailure('There is no a.txt.', { advice: 'Use glob to find it.' }));

interface Case {
  tool?: Partial<Definition>;
  args?: With;
  setUp?: (world: TurnWorld) => void;
  happened: string;
  next: string;
}

const cases: Record<string, Case> = {
  'a failure': {
    tool: { execute: failure },
    happened: 'Error: There is no a.txt.',
    next: ' Use glob to find it.',
  },
  'a refusal before the person is asked': {
    tool: { check: failure },
    happened: 'Error: There is no a.txt.',
    next: ' Use glob to find it.',
  },
  'a success that is cut': {
    tool: {
      execute: async () => ({ ok: true, ...inWords('... of 300 lines.', 'Use a path.'), display: null }),
    },
    happened: '... of 300 lines.',
    next: ' Use a path.',
  },
  'a call that its tool cannot read': {
    args: {},
    happened: 'Tool error: probe was not run: value is missing.',
    next: ' Call it again with: value (string, required).',
  },
  'a call that the person declined': {
    setUp: (world) => (world.decision = 'deny'),
    happened: 'Error: the person declined this call.',
    next: ' Do not repeat it; go on without it, or ask what they want instead.',
  },
  'a call in a folder that is new to the conversation': {
    tool: { about: 'workspace' },
    setUp: (world) => adviseOnFolder(world, inWords('This is another folder.', 'Ask for the other.')),
    happened: 'seen\n\nThis is another folder.',
    next: ' Ask for the other.',
  },
};

function adviseOnFolder(world: TurnWorld, advice: Words): void {
  const ports = world.ports();
  const workspace = { ...ports.tools.workspace, advice: () => advice };
  world.ports = () => ({ ...ports, tools: { ...ports.tools, workspace } });
}

describe.each(Object.entries(cases))('The result of %s', (_, { tool = {}, args, setUp, ...said }) => {
  const made = args ?? { value: 'a' };

  test('holds only what happened for a guided model (audit-E8)', async () => {
    expect(await results(guided(made), probe(tool), { setUp })).toEqual([said.happened]);
  });

  test('says what to do next to a model that calls natively', async () => {
    expect(await results(native(made), probe(tool), { setUp })).toEqual([said.happened + said.next]);
  });
});

test.each([
  [true, ''],
  [false, ' Make it shorter, or do it in parts.'],
])('Of a reply that was cut a model reads advice unless it is guided: %s', async (isGuided, next) => {
  const made = { value: 'a' };
  const reason = done({}, 'length');
  const world = isGuided
    ? guidedBy([text(JSON.stringify({ call: 'probe', with: made })), reason])
    : new TurnWorld([call('probe', made), reason]);
  const happened =
    'Tool error: the reply ended before it was complete (its output limit), so this call was not run.';
  expect(await results(world, probe({}))).toEqual([happened + next]);
});

test('A guided model that repeats a failed call reads the failure once more', async () => {
  const again = { value: 'a' };
  const read = await results(guided(again, again), probe({ execute: failure }), { count: 2 });
  expect(read).toEqual(['Error: There is no a.txt.', 'Error: There is no a.txt.']);
});

test('A native model that makes a failed call a third time reads that it is not run, and what else to try', async () => {
  const again = { value: 'a' };
  const read = await results(native(again, again, again), probe({ execute: failure }), { count: 3 });
  expect(read[2]).toMatch(/^Tool error: this call was not run: .* before\. Do not repeat it\./);
});
