/** Scripts of a model over several turns: what its replies make of the way in which it is asked. */
import { afterEach, expect, it } from 'vitest';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import { reply, type Reply, type Script, type ScriptRequest } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const model = 'new:9b';

/** At its first meeting: makes each call, makes two of three, or only talks. */
type Meeting = 'calls' | 'slips once' | 'talks';

const mayAnswer = ({ format }: ScriptRequest): boolean =>
  format === undefined || JSON.stringify(format).includes('"answer"');

function called({ format }: ScriptRequest, tool: string, args: Record<string, string>): Reply {
  return format === undefined ? reply().toolCall(tool, args) : reply().constrainedCall(tool, args);
}

function said(request: ScriptRequest, text: string): Reply {
  if (request.format === undefined) return reply().text(text);
  return mayAnswer(request)
    ? reply().constrainedAnswer(text)
    : reply().constrainedCall('read_file', { path: 'a.txt' });
}

const isTurn = ({ lastUser }: ScriptRequest): boolean => lastUser.includes('Hello there');

function atMeeting(meeting: Meeting, request: ScriptRequest): Reply {
  const index = questions.findIndex(({ text }) => request.lastUser.includes(text));
  const [right] = questions[index]?.right ?? [];
  const slips = meeting === 'talks' || (meeting === 'slips once' && index === 0);
  if (right && (request.format !== undefined || !slips))
    return called(request, right.tool, { ...right.args });
  return said(request, 'Good morning.');
}

/** `+` the call that is right; `t` it stands in the text; `-` nobody can read it there. */
function scripted(meeting: () => Meeting, turn: () => string): Script {
  return (request) => {
    if (request.endpoint !== 'chat') return undefined;
    if (!isTurn(request)) return atMeeting(meeting(), request);
    if (request.results.length > 0) return said(request, 'That was all.');
    if (turn() === 't' && request.format === undefined)
      return reply().text('{"name": "read_file", "arguments": {"path": "a.txt"}}');
    if (turn() === '-' && request.format === undefined)
      return reply().text('{"name": "read_file", "arguments": {"path": "a.t');
    return called(request, 'read_file', { path: 'a.txt' });
  };
}

const wayOfNewest = (): string => {
  const body = world.sim.truth.requests.findLast(({ endpoint }) => endpoint === '/api/chat')?.body;
  return (body as { format?: unknown }).format === undefined ? 'native' : 'constrained';
};

it.each<[Meeting, string, string]>([
  ['calls', '+', 'native'],
  ['calls', '-', 'native'],
  ['calls', '--', 'native'],
  ['calls', '---', 'native'],
  ['calls', '----', 'constrained'],
  ['calls', '-----', 'constrained'],
  ['calls', '+-', 'native'],
  ['calls', '-+', 'native'],
  ['calls', '+----', 'native'],
  ['calls', '+-----', 'native'],
  ['calls', '+------', 'constrained'],
  ['calls', '-+-+-+', 'native'],
  ['calls', '--++--', 'native'],
  ['calls', '---+---', 'constrained'],
  ['calls', '----+', 'constrained'],
  ['calls', '----+++', 'constrained'],
  ['calls', '++++++++', 'native'],
  ['calls', '++++----', 'native'],
  ['calls', 'ttt', 'native'],
  ['calls', 'tttt', 'constrained'],
  ['calls', '+t+t+t', 'native'],
  ['slips once', '+', 'native'],
  ['slips once', '-', 'native'],
  ['slips once', '--', 'constrained'],
  ['slips once', '+-', 'native'],
  ['slips once', '-+-', 'native'],
  ['slips once', '-+--', 'constrained'],
  ['talks', '+', 'constrained'],
  ['talks', '-', 'constrained'],
  ['talks', '++++', 'constrained'],
  ['talks', '--', 'constrained'],
  ['talks', '+F+', 'native'],
  ['calls', '----F+', 'native'],
])('A model that %s at its first meeting and then does %s is asked %s', async (meeting, turns, way) => {
  let now = '';
  let atLast: Meeting = meeting;
  const endings: string[] = [];
  const script = scripted(
    () => atLast,
    () => now,
  );
  const models = [{ name: model, family: 'template-qwen2.5' }] as const;
  world = await World.start({ unproven: true, files: { 'a.txt': 'one' }, sim: { script, models } });
  for (const step of `${turns}+`) {
    now = step;
    const session = await world.openSession();
    if (step === 'F') {
      // Its maker has made it better, and the person lets Andiron meet it again.
      atLast = 'calls';
      await session.rpc.call('model/forget-abilities', { model });
    } else endings.push((await session.ask('Hello there')).status);
  }
  expect(new Set(endings)).toEqual(new Set(['finished']));
  expect(wayOfNewest()).toBe(way);
});
