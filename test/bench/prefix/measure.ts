/** One conversation on one template family: Andiron and the raw clients, turn about, each on an engine of its own. */
import { families, type Family, type FamilyName } from '../../../src/sim/render/index.ts';
import { startSim, type Sim, type SimOptions, type TruthRequest } from '../../../src/sim/index.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import {
  scriptedReply,
  scriptOf,
  withoutProse,
  type Conversation,
  type ScriptedTurn,
} from './conversation.ts';
import { RawClient, type RawPolicy } from './raw-client.ts';
import { NewTokenCount, type NewTokens } from './strictly-new.ts';
import { incoming, parseChat, type ChatBody } from './wire.ts';

/** Tokens that the engine evaluated for one client, as the simulator counted them. */
export interface Evaluated {
  /** First requests of the turns: what a new user message costs. */
  first: number;
  /** All further requests of the turns: the steps of the tool loop. */
  within: number;
  /** Nobody waited for it: warm-ups. */
  aside: number;
}

export interface Measured {
  family: FamilyName;
  requests: number;
  /** Strictly new and Andiron's own words, over all of Andiron's requests. */
  fresh: NewTokens;
  andiron: Evaluated;
  /** In the order of the policies. */
  rivals: readonly { policy: RawPolicy; evaluated: Evaluated }[];
}

const windowTokens = 131_072;
/** Nothing is waited for: loading, reading and writing take no time that could be felt. */
const speed = 1e6;
const roomForAll = { totalBytes: 96 * 2 ** 30, otherBytes: 0 };

export async function measure(
  name: FamilyName,
  conversation: Conversation,
  policies: readonly RawPolicy[],
  seed: number,
): Promise<Measured> {
  const family = families.get(name);
  if (!family) throw new Error(`There is no family ${name}.`);
  // There the engine takes a call behind prose for prose.
  const turns = family.path === 'template' ? withoutProse(conversation.turns) : conversation.turns;
  const sim: SimOptions = {
    models: [{ name: `${name}:bench`, family: name }],
    script: scriptOf(turns),
    gpu: roomForAll,
    refuseUnpaired: true,
    speed,
    seed,
  };
  const world = await World.start({ files: conversation.files, sim });
  const rivals: Rival[] = [];
  try {
    for (const policy of policies) rivals.push(await startRival(policy, sim));
    return await converse(family, turns, world, rivals);
  } finally {
    for (const { engine } of rivals) await engine.close();
    await world.close();
  }
}

/** A raw client and its engine. */
interface Rival {
  policy: RawPolicy;
  engine: Sim;
  client: RawClient;
  evaluated: Evaluated;
}

async function startRival(policy: RawPolicy, options: SimOptions): Promise<Rival> {
  const engine = await startSim(options);
  return { policy, engine, client: new RawClient(engine.url, policy), evaluated: nothing() };
}

async function converse(
  family: Family,
  turns: readonly ScriptedTurn[],
  world: World,
  rivals: readonly Rival[],
): Promise<Measured> {
  const view = await openSession(world);
  const fresh = new NewTokenCount(family, (body) => scriptedReply(turns, body.messages) ?? {});
  const andiron = nothing();
  for (const turn of turns) {
    const requests = await runTurn(view, world.sim, turn);
    add(andiron, requests);
    const bodies = requests.map(({ body }) => parseChat(body));
    for (const body of bodies) fresh.add(body, turn.user);
    for (const rival of rivals) await replay(rival, bodies);
  }
  const { requests, loads } = world.sim.truth;
  if (loads.length !== 1) throw new Error(`The model was loaded ${loads.length} times.`);
  andiron.aside = tokens(requests.filter((request) => !isAnsweredChat(request)));
  return { family: family.name, requests: answeredChats(world.sim).length, fresh, andiron, rivals };
}

async function replay({ engine, client, evaluated }: Rival, bodies: readonly ChatBody[]): Promise<void> {
  const before = answeredChats(engine).length;
  for (const body of bodies) await client.ask(body, incoming(body));
  add(evaluated, answeredChats(engine).slice(before));
}

/** A session of the built-in developer profile, with a window in which nothing overflows. */
async function openSession(world: World): Promise<SessionView> {
  const { rpc } = world.openWindow();
  const { profile } = await rpc.call('profile/update', {
    profileId: 'developer',
    changes: { contextTokens: windowTokens },
  });
  return world.openSession(profile.id);
}

/** Andiron's turn; every question is answered with yes. Gives the turn's chats, in order. */
async function runTurn(view: SessionView, sim: Sim, turn: ScriptedTurn): Promise<TruthRequest[]> {
  const before = answeredChats(sim).length;
  const turnId = await view.send(turn.user);
  const closed = (): boolean => view.turn(turnId)?.closed ?? false;
  for (;;) {
    await view.until(() => closed() || openQuestion(view) !== undefined);
    if (closed()) break;
    await view.answer('allow');
  }
  const requests = answeredChats(sim).slice(before);
  const status = view.turn(turnId)?.status;
  if (status !== 'finished' || requests.length !== turn.replies.length) {
    throw new Error(
      `The turn is ${status} after ${requests.length} of ${turn.replies.length} requests: ${turn.user}`,
    );
  }
  return requests;
}

function openQuestion(view: SessionView): string | undefined {
  return view.items('tool').find(({ state, decision }) => state === 'awaiting_approval' && decision === null)
    ?.id;
}

function answeredChats(sim: Sim): TruthRequest[] {
  return sim.truth.requests.filter(isAnsweredChat);
}

/** A load has no prompt. */
function isAnsweredChat({ endpoint, promptTokens }: TruthRequest): boolean {
  return endpoint === '/api/chat' && promptTokens > 0;
}

function nothing(): Evaluated {
  return { first: 0, within: 0, aside: 0 };
}

/** @param chats those of one turn */
function add(total: Evaluated, [first, ...steps]: readonly TruthRequest[]): void {
  total.first += first?.evaluated ?? 0;
  total.within += tokens(steps);
}

function tokens(requests: readonly TruthRequest[]): number {
  return requests.reduce((sum, { evaluated }) => sum + evaluated, 0);
}
