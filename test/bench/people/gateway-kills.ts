/**
 * The gateway killed again and again, in whatever it does, under the unmodified client of another company: what the client
 * was answered stays in its session, the same history goes on there, and no turn is left running.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import OpenAI from 'openai';
import { listenLocally } from '../../../src/platform/local-socket.ts';
import { maxStreamBytes } from '../../../src/protocol/limits.ts';
import { reply } from '../../../src/sim/index.ts';
import { World } from '../../helpers/host-world.ts';
import type { Part } from '../engine/figures.ts';
import { Chance } from '../prefix/chance.ts';

type Message = OpenAI.ChatCompletionMessageParam;
/** When it is killed: while the model reads or writes, after the answer, or as it starts. */
const moments = ['at once', 'reading', 'writing', 'answered'] as const;
const entry = join(import.meta.dirname, '../../../src/gateway/entry.ts');
/** Messages after which the client begins a new conversation. */
const longest = 6;

interface Tries {
  content: string;
  isAskedTwice: boolean;
}

interface Gateway {
  child: ChildProcess;
  ended: Promise<unknown>;
  client: OpenAI;
}

export async function benchGatewayKills(seed: number, kills: number): Promise<Part> {
  const chance = new Chance(seed);
  const answer = 'I have noted it down for you. '.repeat(8);
  const world = await World.start({ sim: { speed: 60, script: () => reply().text(answer) } });
  const dataDir = join(world.dir, 'data');
  const limits = { frameBytes: maxStreamBytes, signInBytes: 4_096, signInMs: 5_000, connections: 100 };
  const socket = await listenLocally({
    dataDir,
    limits,
    onConnection: (pipe) => world.host.connectProgram(pipe),
  });
  try {
    const { rpc } = world.openWindow();
    const { text: apiKey } = await rpc.call('token/create', { name: 'Killed', level: 'user', modules: null });
    let gateway = await startGateway(dataDir, apiKey);
    const figures = { kills: 0, answered: 0, lost: 0, doubled: 0, astray: 0, stuck: 0 };
    const tries: Tries[] = [];
    let conversations = 1;
    let history: Message[] = [];
    for (let turn = 0; figures.kills < kills; turn += 1) {
      if (history.length >= 2 * longest) {
        history = [];
        conversations += 1;
      }
      const content = `Message ${String(turn)} of the client.`;
      const asked: Message[] = [...history, { role: 'user', content }];
      const said = await askUnderKill(gateway, asked, chance.pick(moments), world);
      await gateway.ended;
      figures.kills += 1;
      gateway = await startGateway(dataDir, apiKey);
      // A client whose connection went asks again, with the same history.
      const text = said ?? (await ask(gateway.client, asked));
      tries.push({ content, isAskedTwice: said === null });
      figures.answered += 1;
      history = [...asked, { role: 'assistant', content: text }];
    }
    Object.assign(figures, problemsIn(await transcripts(world), tries, conversations));
    await world.rest();
    const { sessions } = await rpc.call('host/subscribe', {});
    figures.stuck = sessions.filter(({ status }) => status === 'running').length;
    gateway.child.kill('SIGKILL');
    return {
      title: 'kills',
      figures,
      gates: [
        { figure: 'kills', at: 'least', limit: kills },
        ...(['lost', 'doubled', 'astray', 'stuck'] as const).map(
          (figure) => ({ figure, at: 'exactly', limit: 0 }) as const,
        ),
      ],
      rows: [Object.keys(figures), Object.values(figures).map(String)],
    };
  } finally {
    await socket.close();
    await world.close();
  }
}

async function startGateway(dataDir: string, apiKey: string): Promise<Gateway> {
  const child = fork(entry, [`--data-dir=${dataDir}`, '--port=0'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const baseURL = `http://127.0.0.1:${String(port)}/v1`;
  return { child, ended, client: new OpenAI({ apiKey, baseURL, maxRetries: 0 }) };
}

const ask = async (client: OpenAI, messages: Message[]): Promise<string> =>
  (await client.chat.completions.create({ model: 'developer', messages })).choices[0]?.message.content ?? '';

/** Kills it at that moment. Resolves with the whole answer, or null where the client did not get one. */
async function askUnderKill(
  { child, client }: Gateway,
  messages: Message[],
  moment: (typeof moments)[number],
  world: World,
): Promise<string | null> {
  const kill = (): void => void child.kill('SIGKILL');
  const before = world.sim.truth.requests.length;
  if (moment === 'at once') kill();
  if (moment === 'reading')
    void world.sim.truth.waitFor(({ requests }) => requests.slice(before).some(isChat)).then(kill);
  try {
    let text = '';
    const stream = await client.chat.completions.create({ model: 'developer', messages, stream: true });
    let isWhole = false;
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? '';
      isWhole ||= choices[0]?.finish_reason === 'stop';
      if (text !== '' && moment === 'writing') kill();
    }
    kill();
    return isWhole ? text : null;
  } catch {
    kill();
    return null;
  }
}

const isChat = ({ endpoint }: { endpoint: string }): boolean => endpoint === '/api/chat';

/** The messages of each session whose turns came to their end, as the host has them. */
async function transcripts(world: World): Promise<string[][]> {
  await world.rest();
  const window = world.openWindow();
  const { sessions } = await window.rpc.call('host/subscribe', {});
  const views = await Promise.all(sessions.map(({ id }) => window.follow(id)));
  return views.map(({ state }) =>
    state.turns.filter(({ status }) => status === 'finished').map(({ text }) => text),
  );
}

/**
 * Each message stands once among the ones that were answered, but for those that the client itself asked twice; and only a
 * try that was cut off has left a conversation that nobody goes on with.
 */
function problemsIn(
  sessions: readonly string[][],
  tries: readonly Tries[],
  conversations: number,
): { lost: number; doubled: number; astray: number } {
  const answered = sessions.flat();
  const counts = tries.map(({ content }) => answered.filter((text) => text.endsWith(content)).length);
  const cutOff = tries.filter(({ isAskedTwice }) => isAskedTwice).length;
  return {
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count, at) => count > (tries[at]?.isAskedTwice === true ? 2 : 1)).length,
    astray: Math.max(0, sessions.length - conversations - cutOff),
  };
}
