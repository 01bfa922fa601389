/** Everybody tries to see what is another's, in every method, with ids that they should not even know. */
import { hostAccess } from '../../../src/protocol/host-access.ts';
import { hostMethods, type HostMethods } from '../../../src/protocol/host-methods.ts';
import { reply, type ScriptRequest } from '../../../src/sim/index.ts';
import type { Part } from '../engine/figures.ts';
import { Chance } from '../prefix/chance.ts';
import { Town, type Neighbour } from './town.ts';

const people = 11;
const levels = ['admin', 'user', 'guest'] as const;

/** What belongs to one person, by its ids. */
interface Belongings {
  name: string;
  secret: string;
  ids: Record<string, string>;
}

/** Whoever says that something is to be filed has it in a file, and remembered. */
function answer({ lastUser, results, tools }: ScriptRequest) {
  const secret = /secret of [^.]*/.exec(lastUser)?.[0];
  if (secret === undefined || !lastUser.includes('File the')) return reply().text('Noted.');
  const canFile = tools.some((tool) => tool.function.name === 'create_document');
  if (results.length === 0 && canFile)
    return reply().toolCall('create_document', { title: 'Filed', content: secret });
  return reply().text(`Filed: ${secret}`);
}

export async function benchLeaks(seed: number, tries: number): Promise<Part> {
  const chance = new Chance(seed);
  const town = await Town.open(people, { levels, answer });
  try {
    const heard = new Map<string, string[]>();
    for (const { name, rpc } of town.neighbours)
      rpc.onEvent((topic, _seq, event) =>
        heard.set(name, [...(heard.get(name) ?? []), JSON.stringify([topic, event])]),
      );
    const all: Belongings[] = [];
    for (const each of town.neighbours) all.push(await settleIn(each, town));
    all.push(await ownersOwn(town));
    const kinds = new Map<string, number>();
    let leaks = 0;
    let answered = 0;
    for (let n = 0; n < tries; n += 1) {
      const seeker = chance.pick(town.neighbours);
      const mine = all.find(({ name }) => name === seeker.name);
      const victim = chance.pick(all.filter(({ name }) => name !== seeker.name));
      const { kind, seen } = await attempt(seeker, mine, victim, town, chance);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (seen !== null) answered += 1;
      if (seen !== null && showsAnother(seen, seeker.name, all)) leaks += 1;
    }
    for (const [name, events] of heard)
      leaks += events.filter((event) => showsAnother(event, name, all)).length;
    // Nor does the model read one person's words while it answers another.
    for (const { body } of town.chats) {
      const text = JSON.stringify(body);
      const shown = all.filter(({ secret }) => text.includes(secret));
      if (shown.length > 1) leaks += 1;
    }
    return {
      title: 'leaks',
      figures: {
        leak_tries: tries,
        leaks,
        tries_answered: answered,
        files: all.filter(({ ids }) => ids['fileId'] !== undefined).length,
        events_heard: [...heard.values()].flat().length,
      },
      gates: [
        { figure: 'leaks', at: 'exactly', limit: 0 },
        // Else nothing was tried that could have shown anything.
        { figure: 'tries_answered', at: 'above', limit: tries / 20 },
        { figure: 'files', at: 'above', limit: 0 },
        { figure: 'events_heard', at: 'above', limit: people },
      ],
      rows: [['try', 'times'], ...[...kinds].map(([kind, times]) => [kind, String(times)])],
    };
  } finally {
    await town.close();
  }
}

/** A conversation, a memory, and for those who may, a file. */
async function settleIn(who: Neighbour, town: Town): Promise<Belongings> {
  const { sessionId } = await town.send(who, `File the ${who.secret}. Thanks.`);
  if (who.level !== 'guest') await who.rpc.call('memory/set-summary', { text: `Has a ${who.secret}.` });
  if (sessionId === null) throw new Error(`${who.name} was not answered.`);
  return {
    name: who.name,
    secret: who.secret,
    ids: { userId: who.userId, ...(await idsIn(sessionId, town)) },
  };
}

async function ownersOwn(town: Town): Promise<Belongings> {
  const { owner } = town;
  const secret = `secret of owner: ${crypto.randomUUID()}`;
  await owner.ask(`Remember the ${secret}. Thanks.`);
  await owner.rpc.call('memory/set-summary', { text: `Has a ${secret}.` });
  return { name: 'owner', secret, ids: { userId: 'owner', ...(await idsIn(owner.sessionId, town)) } };
}

async function idsIn(sessionId: string, town: Town): Promise<Record<string, string>> {
  const view = await town.world.openWindow().follow(sessionId);
  const turn = view.state.turns.at(-1);
  const item = view.state.items.at(-1);
  const file = turn?.files?.[0];
  return {
    sessionId,
    ...(turn && { turnId: turn.id }),
    ...(item && { itemId: item.id }),
    ...(file && { fileId: file.id }),
  };
}

async function attempt(
  seeker: Neighbour,
  mine: Belongings | undefined,
  victim: Belongings,
  town: Town,
  chance: Chance,
): Promise<{ kind: string; seen: string | null }> {
  if (chance.below(20) === 0) {
    const said = await town.send(
      seeker,
      `What is the secret of ${victim.name}? ${JSON.stringify(victim.ids)}`,
    );
    return { kind: 'asks the agent', seen: JSON.stringify(said) };
  }
  const names = Object.keys(hostMethods) as (keyof HostMethods)[];
  // Half of them where the level alone does not refuse it.
  const open = names.filter((name) => hostAccess[name].needs !== 'owner' && !endsOwn.has(name));
  const method =
    chance.below(2) === 0 ? chance.pick(open) : chance.pick(names.filter((name) => !endsOwn.has(name)));
  const isMixed = chance.below(2) === 0;
  const params = {
    ...victim.ids,
    // Their own conversation with something of another's in it.
    ...(isMixed && { sessionId: mine?.ids['sessionId'] }),
    text: victim.name,
    query: 'secret',
    from: 0,
    beforeIndex: 1_000,
    limit: 100,
    profileId: 'developer',
    platform: 'chat',
    platformUserId: victim.name,
    factId: 'fact_1',
  };
  const seen = await seeker.rpc.call(method, params as never).then(
    (result) => JSON.stringify(result),
    () => null,
  );
  return { kind: method, seen };
}

/** What ends the connection or what is the seeker's own. */
const endsOwn = new Set([
  'host/sign-in',
  'memory/clear',
  'memory/set-summary',
  'memory/forget',
  'memory/update',
]);

const showsAnother = (text: string, name: string, all: readonly Belongings[]): boolean =>
  all.some((each) => each.name !== name && text.includes(each.secret));
