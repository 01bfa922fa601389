/** A host on a simulated Ollama, with the gateway before it, in one process. */
import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect as connectTcp } from 'node:net';
import OpenAI from 'openai';
import { systemClock } from '../../src/platform/clock.ts';
import { serveGateway, type Gateway, type GatewayOptions } from '../../src/gateway/serve-gateway.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import type { RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair, type Transport } from '../../src/protocol/transport.ts';
import type { Script } from '../../src/sim/index.ts';
import { World, type HouseOptions } from './host-world.ts';

type NewToken = HostMethods['token/create']['params']['_zod']['input'];

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export class GatewayHarness {
  readonly world: World;
  gateway: Gateway;
  readonly #serve: () => Promise<Gateway>;
  readonly owner: RpcClient<HostMethods>;
  /** What went wrong in the gateway itself. */
  readonly problems: unknown[] = [];
  /** All that the gateway has had to the host. */
  readonly connections: Transport[] = [];
  isHostRunning = true;

  private constructor(world: World, serve: () => Promise<Gateway>, gateway: Gateway) {
    this.world = world;
    this.#serve = serve;
    this.gateway = gateway;
    this.owner = world.openWindow().rpc;
  }

  static async start(
    answers: Script,
    more: Partial<GatewayOptions> = {},
    house: Pick<HouseOptions, 'known'> = {},
  ): Promise<GatewayHarness> {
    const world = await World.start({ ...house, sim: { script: answers } });
    const options: GatewayOptions = {
      port: 0,
      clock: systemClock,
      network: null,
      onInternalError: (error) => harness.problems.push(error),
      connect() {
        if (!harness.isHostRunning) return Promise.resolve(null);
        const [hostEnd, programEnd] = createTransportPair();
        world.host.connectProgram(hostEnd);
        harness.connections.push(programEnd);
        return Promise.resolve(programEnd);
      },
      ...more,
    };
    const serve = (): Promise<Gateway> => serveGateway(options);
    const harness = new GatewayHarness(world, serve, await serve());
    return harness;
  }

  /** Another gateway, which knows nothing of the one before, at another address. */
  async restartGateway(): Promise<void> {
    await this.gateway.close();
    this.gateway = await this.#serve();
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.gateway.port)}`;
  }

  async token(more: Partial<NewToken> = {}): Promise<{ id: string; text: string }> {
    const { token, text } = await this.owner.call('token/create', { name: 'Test', ...more });
    return { id: token.id, text };
  }

  /** The unmodified client of OpenAI. */
  openai(apiKey: string): OpenAI {
    return new OpenAI({ apiKey, baseURL: `${this.url}/v1`, maxRetries: 0 });
  }

  /** Sends headers as they are given. */
  async http(
    method: string,
    path: string,
    { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<HttpAnswer> {
    const { port } = this.gateway;
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    const answered = Promise.withResolvers<HttpAnswer>();
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response;
        answered.resolve({ status, headers: got, body: Buffer.concat(parts).toString() });
      });
      response.on('error', answered.reject);
    });
    sent.on('error', answered.reject);
    sent.end(body);
    return answered.promise;
  }

  post(path: string, token: string, body: object): Promise<HttpAnswer> {
    const headers = { authorization: `Bearer ${token}` };
    return this.http('POST', path, { headers, body: JSON.stringify(body) });
  }

  /** Sends these bytes and nothing more; resolves with all that came when the gateway has hung up. */
  async raw(bytes: string): Promise<string> {
    const socket = connectTcp(this.gateway.port, '127.0.0.1');
    let got = '';
    socket.setEncoding('utf8').on('data', (part: string) => (got += part));
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    return got;
  }

  chats() {
    return this.world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
  }

  /** What the model was sent last. */
  lastBody(): { messages: { role: string; content: string }[] } {
    const { body } = this.chats().at(-1) ?? { body: { messages: [] } };
    return body as { messages: { role: string; content: string }[] };
  }

  /** The model that was asked last. */
  lastModel(): string {
    return (this.chats().at(-1)?.body as { model: string } | undefined)?.model ?? '';
  }

  /** The id of the session that is begun next. */
  async nextSession(): Promise<string> {
    const { rpc } = this.world.openWindow();
    const begun = Promise.withResolvers<string>();
    rpc.onEvent((topic, _seq, event) => {
      const { type, session } = event as { type: string; session?: { id: string } };
      if (topic === 'host' && type === 'session/upserted' && session) begun.resolve(session.id);
    });
    const { sessions } = await rpc.call('host/subscribe', {});
    return sessions[0]?.id ?? begun.promise;
  }

  async close(): Promise<void> {
    await this.gateway.close();
    await this.world.close();
  }
}
