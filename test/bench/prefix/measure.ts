/** One conversation on one template family: Andiron and the raw clients, turn about, each on an engine of its own. */
import {
  everyFamily,
  tokenise,
  type Family,
  type FamilyName,
  type PieceKind,
} from '../../../src/sim/render/index.ts';
import { startSim, type Sim, type SimOptions, type TruthRequest } from '../../../src/sim/index.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { ProfileFile, Warmth } from '../../../src/protocol/model.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import { abilitiesWithoutOpening } from '../../helpers/proven-models.ts';
import type { Conversation, ScriptedReply, ScriptedTurn } from './conversation.ts';
import { inForm, Player, type Played } from './player.ts';
import { RawClient, type RawPolicy } from './raw-client.ts';
import { NewTokenCount, type NewTokens } from './strictly-new.ts';
import { parseChat, type ChatBody } from './wire.ts';

/** `first`: what a new user message costs; `aside`: summaries; `within`: everything else of a turn. */
export type Place = 'first' | 'within' | 'aside';

/** One request of Andiron's, as the simulator counted it. */
export interface Step extends NewTokens {
  /** Counts from 1. */
  turn: number;
  what: string;
  place: Place;
  evaluated: number;
  /** Evaluated without need: neither strictly new nor Andiron's own new words. */
  reread: number;
  /** What stands where the cache ends; null = hardly anything was read again. */
  from: { kind: PieceKind; text: string } | null;
}

export interface Measured {
  family: FamilyName;
  /** Tokens of a prompt with an empty conversation. */
  headTokens: number;
  steps: readonly Step[];
  /** Evaluated by warm-ups, while nobody waited. */
  warmed: number;
  /** In the order of the policies; what each of the steps cost them. */
  rivals: readonly { policy: RawPolicy; evaluated: readonly number[] }[];
}

export interface MeasureOptions {
  conversation: Conversation;
  policies: readonly RawPolicy[];
  profile: Partial<ProfileFile>;
  seed: number;
  /** `awaited` = the person reads until it is over; `never` = as in a house that keeps nothing in memory. */
  warmUps?: 'awaited' | 'never';
  sandbox?: Sandbox;
}

/** Tokens. Below it are the ends of checkpoints and marks that the template closes differently. */
export const worthTelling = 24;

/** Nothing is waited for: loading, reading and writing take no time that could be felt. */
const speed = 1e6;
const roomForAll = { totalBytes: 96 * 2 ** 30, otherBytes: 0 };

export async function measure(name: FamilyName, options: MeasureOptions): Promise<Measured> {
  const { conversation, policies, profile, seed, warmUps = 'awaited', sandbox } = options;
  const family = everyFamily.get(name);
  if (!family) throw new Error(`There is no family ${name}.`);
  const player = new Player();
  const sim: SimOptions = {
    models: [{ name: `${name}:bench`, family: name }],
    script: player.script,
    gpu: roomForAll,
    refuseUnpaired: true,
    speed,
    seed,
  };
  // What leads a model through its turns is no part of the conversation that is measured.
  const world = await World.start({
    files: conversation.files,
    sim,
    known: abilitiesWithoutOpening,
    ...(sandbox && { sandbox }),
  });
  if (warmUps === 'never') await world.openEngineRoom().call('engine/set-keep-alive', { policy: 'never' });
  const rivals: Rival[] = [];
  try {
    for (const policy of policies) rivals.push(await startRival(policy, sim));
    const house: Bench = { family, world, player, rivals, warms: warmUps === 'awaited' };
    return { family: name, ...(await converse(house, conversation.turns, profile)), rivals };
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
  evaluated: number[];
}

interface Bench {
  family: Family;
  world: World;
  player: Player;
  rivals: readonly Rival[];
  warms: boolean;
}

async function startRival(policy: RawPolicy, options: SimOptions): Promise<Rival> {
  const engine = await startSim(options);
  return { policy, engine, client: new RawClient(engine.url, policy), evaluated: [] };
}

async function converse(
  bench: Bench,
  turns: readonly ScriptedTurn[],
  profile: Partial<ProfileFile>,
): Promise<Omit<Measured, 'family' | 'rivals'>> {
  const { family, world, player, rivals } = bench;
  let view = await openSession(world, profile);
  const fresh = new NewTokenCount(family);
  const steps: Step[] = [];
  let before = '';
  await settled(view, bench, 0);
  for (const [index, turn] of turns.entries()) {
    if (turn.before?.do === 'restart') {
      await world.restartHost();
      view = await world.openWindow().follow(view.sessionId);
      await settled(view, bench, 0);
      before = ', after a restart';
    } else if (turn.before?.do === 'act') {
      await turn.before.act(view.rpc);
    } else if (turn.before) {
      await changeProfile(view, turn.before.changes);
      before = ', after a changed flag';
    }
    let place: Place = 'first';
    const seen = view.events.length;
    for (const asked of await runTurn(view, bench, turn)) {
      const isAside = asked.played.scripted.what === 'summary';
      const step = stepOf(asked, fresh, saidIn(turn), family);
      const what = `${step.what}${isAside ? '' : before}`;
      steps.push({ ...step, turn: index + 1, what, place: isAside ? 'aside' : place });
      if (isAside) before = ', after a summary';
      else [place, before] = ['within', ''];
      for (const rival of rivals) await replay(rival, asked, isAside);
    }
    await settled(view, bench, seen);
    if (turn.replies.some(({ isStopped }) => isStopped)) before = ', after a stop';
  }
  const { loads, violations, failures } = world.sim.truth;
  const wrong = [...violations.map(({ text }) => text), ...failures, ...player.failures];
  if (loads.length !== 1) wrong.push(`The model was loaded ${loads.length} times.`);
  if (wrong.length > 0) throw new Error(`${family.name}: ${wrong.slice(0, 5).join('\n')}`);
  return { headTokens: headTokens(family, world.sim), steps, warmed: warmedTokens(world.sim) };
}

/** Resolves when what follows an opening or a turn has been evaluated. `since`: events that came before it. */
async function settled(view: SessionView, { world, warms }: Bench, since: number): Promise<void> {
  if (!warms) return;
  await view.until(() => {
    const told = view.events.slice(since).map(({ event }) => event);
    const closed = told.findLastIndex(({ type }) => type === 'turn/closed');
    return told.slice(closed + 1).some((event) => event.type === 'session/warmed' && isOver(event.warmth));
  });
  await world.rest();
}

const isOver = ({ state }: Warmth): boolean => state !== 'waiting' && state !== 'warming';

function warmedTokens({ truth }: Sim): number {
  const warmUps = truth.requests.filter(({ endpoint }) => endpoint === '/api/generate');
  return warmUps.reduce((sum, { evaluated }) => sum + evaluated, 0);
}

/** A request of Andiron's with its answer. */
interface Asked {
  request: TruthRequest;
  body: ChatBody;
  played: Played;
}

async function replay({ engine, client, evaluated }: Rival, asked: Asked, isAside: boolean): Promise<void> {
  const { scripted } = asked.played;
  engine.setScript((request) => inForm(scripted, request));
  await client.ask({ body: asked.body, isAside });
  evaluated.push(client.hasOverflowed ? Infinity : (answeredChats(engine).at(-1)?.evaluated ?? 0));
}

function stepOf(
  { request, body, played }: Asked,
  fresh: NewTokenCount,
  said: readonly string[],
  family: Family,
): Pick<Step, 'what' | 'evaluated' | 'reread' | 'from' | 'strictlyNew' | 'own'> {
  const { evaluated } = request;
  const counted = fresh.add(body, said, written(played));
  const reread = evaluated - counted.strictlyNew - counted.own;
  const from = reread >= worthTelling ? pieceAt(family, body, request.cached) : null;
  return { ...counted, what: played.scripted.what, evaluated, reread, from };
}

/** What of a reply ends as the template would end it; the text of a constrained one is never rendered so. */
function written({ scripted, isConstrained }: Played): {
  thinking?: string;
  text?: string;
  calls?: ScriptedReply['calls'];
} {
  return isConstrained ? { text: '}' } : scripted;
}

function pieceAt(family: Family, body: ChatBody, cached: number): Step['from'] {
  const prompt = family.render(body);
  if (!prompt.ok) throw new Error(`The request renders as a refusal: ${prompt.error}`);
  let position = tokenise(prompt.text)
    .slice(0, cached)
    .reduce((sum, { length }) => sum + length, 0);
  for (const { kind, text } of prompt.pieces) {
    if (position < text.length) return { kind, text: text.slice(position, position + 40) };
    position -= text.length;
  }
  return { kind: 'markup', text: '' };
}

/** What a person wrote, and what the model told its subagent. */
function saidIn({ user, replies }: ScriptedTurn): string[] {
  const spawned = replies.flatMap(({ calls }) => calls.filter(({ name }) => name === 'spawn_agent'));
  return [user, ...spawned.flatMap(({ arguments: args }) => spokenIn([args['task'], args['briefing']]))];
}

const spokenIn = (values: readonly unknown[]): string[] =>
  values.filter((value) => typeof value === 'string');

/** A session of the built-in developer profile. */
async function openSession(world: World, changes: Partial<ProfileFile>): Promise<SessionView> {
  const { rpc } = world.openWindow();
  const { profile } = await rpc.call('profile/update', { profileId: 'developer', changes });
  const view = await world.openSession(profile.id);
  // A session that a person has named is given no title by its model, however long this machine lets it wait.
  await view.rpc.call('session/update', { sessionId: view.sessionId, title: 'Measured' });
  return view;
}

async function changeProfile({ rpc, state }: SessionView, changes: Partial<ProfileFile>): Promise<void> {
  await rpc.call('profile/update', { profileId: state.session.profileId, changes });
}

/** Andiron's turn; every question is answered with yes. Gives its requests, in order. */
async function runTurn(view: SessionView, { world, player }: Bench, turn: ScriptedTurn): Promise<Asked[]> {
  const before = player.played.length;
  player.begin(turn.replies);
  const turnId = await view.send(turn.user);
  const stopAt = turn.replies.find(({ isStopped }) => isStopped)?.text;
  let stopping = false;
  for (;;) {
    const closed = (): boolean => view.turn(turnId)?.closed ?? false;
    const toStop = (): boolean => !stopping && stopAt !== undefined && hasText(view, stopAt);
    await view.until(() => closed() || openQuestion(view) !== undefined || toStop());
    if (closed()) break;
    if (toStop()) {
      stopping = true;
      await view.rpc.call('turn/stop', { sessionId: view.sessionId, turnId });
    } else {
      await view.answer('allow');
    }
  }
  const status = view.turn(turnId)?.status;
  const wanted = stopAt === undefined ? 'finished' : 'stopped';
  if (status !== wanted || player.due.length > 0) {
    const told = view.items('error').at(-1)?.message ?? 'no error was told';
    throw new Error(`The turn is ${status} with ${player.due.length} replies left (${told}): ${turn.user}`);
  }
  const played = player.played.slice(before);
  const requests = answeredChats(world.sim).slice(before);
  return played.map((each, index) => {
    const request = requests[index];
    if (!request) throw new Error('A reply has no request.');
    return { request, body: parseChat(request.body), played: each };
  });
}

/** Half of it is enough: a parser may hold the last word until it knows what follows, and some take thinking for text. */
function hasText(view: SessionView, text: string): boolean {
  const shown = view.items('text').at(-1)?.text ?? '';
  return shown.includes(text.slice(0, text.length / 2));
}

function openQuestion(view: SessionView): string | undefined {
  return view.items('tool').find(({ state, decision }) => state === 'awaiting_approval' && decision === null)
    ?.id;
}

/** A load has no prompt. */
function answeredChats(sim: Sim): TruthRequest[] {
  return sim.truth.requests.filter(
    ({ endpoint, promptTokens }) => endpoint === '/api/chat' && promptTokens > 0,
  );
}

/** Of the first request, with nothing said. */
function headTokens(family: Family, sim: Sim): number {
  const body = parseChat(answeredChats(sim)[0]?.body);
  const messages = body.messages.filter(({ role }) => role === 'system');
  const prompt = family.render({ ...body, messages: [...messages, { role: 'user', content: '' }] });
  return prompt.ok ? tokenise(prompt.text).length : NaN;
}
