/** Messages of other platforms as tests send them, with what the model was sent for them. */
import type { AgentResponse } from '../../src/protocol/inbox-methods.ts';
import type { Person } from '../../src/protocol/people-methods.ts';
import type { RpcClient } from '../../src/protocol/rpc-client.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { World, type WorldOptions } from './host-world.ts';

interface Sent {
  text?: string;
  user?: string;
  userName?: string;
  platform?: string;
  server?: string;
  channel?: string;
  attachments?: string[];
}

type BindingParams = HostMethods['binding/put']['params']['_zod']['input']['binding'];

interface SentBody {
  model: string;
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
  options: { num_predict?: number };
}

const binding: BindingParams = {
  platform: 'telegram',
  server: '',
  profileId: 'developer',
  model: null,
  modules: null,
  isPerPerson: false,
  pauseMs: null,
};

export class Messenger {
  readonly world: World;
  readonly rpc: RpcClient<HostMethods>;

  private constructor(world: World) {
    this.world = world;
    this.rpc = world.openWindow().rpc;
  }

  static async start(options: WorldOptions): Promise<Messenger> {
    return new Messenger(await World.start(options));
  }

  send({ user = '42', platform = 'telegram', text = 'Hello.', ...more }: Sent = {}): Promise<AgentResponse> {
    return this.rpc.call('inbox/receive', { platform, platformUserId: user, text, ...more });
  }

  bind(more: Partial<BindingParams> = {}) {
    return this.rpc.call('binding/put', { binding: { ...binding, ...more } });
  }

  async personOf(user: string): Promise<Person> {
    const { people } = await this.rpc.call('people/list', {});
    const found = people.find(({ accounts }) =>
      accounts.some(({ platformUserId }) => platformUserId === user),
    );
    if (!found) throw new Error(`Nobody is known as ${user}.`);
    return found;
  }

  /** They have written once, and have that level and no limit from then on. */
  async makeLevel(user: string, level: 'user' | 'admin' | 'owner'): Promise<string> {
    const { id } = await this.personOf(user);
    if (level === 'owner')
      await this.rpc.call('people/link', {
        platform: 'telegram',
        platformUserId: user,
        userId: 'owner',
      });
    else await this.rpc.call('people/update', { userId: id, level, budget: null });
    return id;
  }

  async addPersona(name: string, text: string): Promise<string> {
    return (await this.rpc.call('persona/put', { persona: { id: null, name, text } })).persona.id;
  }

  /** Resolves with the session of that channel once its model was asked something. */
  async untilAsked(channel: string): Promise<string> {
    const { sessions } = await this.rpc.call('host/subscribe', {});
    const id = sessions.find(({ place }) => place?.channel === channel)?.id;
    if (id === undefined) throw new Error(`Nobody talks in ${channel}.`);
    const view = await this.world.openWindow().follow(id);
    await view.until((state) => state.turns.some(({ phase }) => phase === 'prefill'));
    return id;
  }

  bodies(): SentBody[] {
    return this.world.sim.truth.requests
      .filter(({ endpoint }) => endpoint === '/api/chat')
      .map(({ body }) => body as SentBody);
  }

  lastBody(): SentBody {
    const last = this.bodies().at(-1);
    if (!last) throw new Error('The model was asked nothing.');
    return last;
  }

  /** The system text that was sent last. */
  head(): string {
    return this.lastBody().messages.find(({ role }) => role === 'system')?.content ?? '';
  }

  toolsSent(): string[] {
    return (this.lastBody().tools ?? []).map((tool) => tool.function.name).toSorted();
  }
}
