/** Twelve people on one simulated GPU: the owner at the window, and eleven who write on another platform. */
import type { AgentResponse } from '../../../src/protocol/inbox-methods.ts';
import type { HostMethods } from '../../../src/protocol/host-methods.ts';
import type { Person } from '../../../src/protocol/people-methods.ts';
import { ownerAt, type Level as AnyLevel } from '../../../src/protocol/principal.ts';
import { createRpcClient, type RpcClient } from '../../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../../src/protocol/transport.ts';
import { reply, type ScriptRequest, type TruthRequest } from '../../../src/sim/index.ts';
import { World, type SessionView, type WorldOptions } from '../../helpers/host-world.ts';

export type Rpc = RpcClient<HostMethods>;

/** There is one owner. */
type Level = Exclude<AnyLevel, 'owner'>;

/** Somebody who writes on the platform. */
export interface Neighbour {
  name: string;
  /** Where they write: it decides which profile answers. */
  server: string;
  userId: string;
  level: Level;
  /** A program of theirs, with their rights. */
  rpc: Rpc;
  /** What no one else may ever see. */
  secret: string;
}

export const platform = 'chat';
/** Each has a profile of its own. */
export const servers = ['north', 'east', 'south'];
const model = 'main:9b';
const tools = ['read_file', 'create_document', 'memory_search', 'todo'];

export interface TownOptions {
  levels?: readonly Level[];
  clock?: WorldOptions['clock'];
  speed?: number;
  answer?: (request: ScriptRequest) => ReturnType<typeof reply>;
}

export class Town {
  readonly world: World;
  readonly owner: SessionView;
  readonly neighbours: Neighbour[] = [];

  private constructor(world: World, owner: SessionView) {
    this.world = world;
    this.owner = owner;
  }

  /** @param people how many write on the platform, beside the owner */
  static async open(
    people: number,
    { levels = ['user'], clock, speed = 200, answer }: TownOptions = {},
  ): Promise<Town> {
    const script = answer ?? (() => reply().text('Noted.'));
    const sim = { speed, script, models: [{ name: model, family: 'template-qwen2.5' as const }] };
    const world = await World.start({ sim, ...(clock && { clock }) });
    const town = new Town(world, await world.openSession());
    const { rpc } = town.owner;
    for (const server of servers) {
      const { profile } = await rpc.call('profile/create', { name: `Of the ${server}`, from: 'developer' });
      const changes = { models: [model], memoryEnabled: false, approvals: 'accept_edits' as const, tools };
      await rpc.call('profile/update', { profileId: profile.id, changes });
      const text = `You answer in the ${server}. ${`The ${server} has its own long rules. `.repeat(40)}`;
      await rpc.call('profile/write-prompt', {
        profileId: profile.id,
        prompt: 'system',
        text,
        expected: profile.systemPrompt,
      });
      const place = { platform, server, profileId: profile.id };
      await rpc.call('binding/put', {
        binding: {
          ...place,
          model: null,
          modules: ['files', 'memory', 'work'],
          isPerPerson: false,
          pauseMs: null,
        },
      });
    }
    for (let n = 0; n < people; n += 1)
      await town.#moveIn(
        `neighbour${String(n)}`,
        servers[n % servers.length] ?? '',
        levels[n % levels.length] ?? 'user',
      );
    return town;
  }

  async #moveIn(name: string, server: string, level: Level): Promise<void> {
    await this.send({ name, server }, 'I have come.');
    const { id: userId } = await this.person(name);
    await this.owner.rpc.call('people/update', { userId, level, budget: null });
    const [hostEnd, clientEnd] = createTransportPair();
    this.world.host.connect(hostEnd, { ...ownerAt('api'), userId, level });
    const rpc = createRpcClient<HostMethods>(clientEnd);
    this.neighbours.push({
      name,
      server,
      userId,
      level,
      rpc,
      secret: `secret of ${name}: ${crypto.randomUUID()}`,
    });
  }

  /** Brings a message as the platform does. */
  send(
    { name, server }: Pick<Neighbour, 'name' | 'server'>,
    text: string,
    channel = name,
  ): Promise<AgentResponse> {
    const sender = { platform, platformUserId: name, userName: name };
    return this.owner.rpc.call('inbox/receive', { ...sender, server, channel, text });
  }

  async person(name: string): Promise<Person> {
    const { people } = await this.owner.rpc.call('people/list', {});
    const found = people.find(({ accounts }) =>
      accounts.some(({ platformUserId }) => platformUserId === name),
    );
    if (!found) throw new Error(`Nobody is known as ${name}.`);
    return found;
  }

  /** What the model was asked, in the order in which it read it. */
  get chats(): readonly TruthRequest[] {
    return this.world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
  }

  close(): Promise<void> {
    return this.world.close();
  }
}
