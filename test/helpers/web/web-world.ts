/** The host with a profile that may use the web, and servers on this computer that stand for the internet. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressClass } from '../../../src/host/web/address-class.ts';
import type { Approval, HostScope } from '../../../src/protocol/model.ts';
import { World, type SessionView, type WorldOptions } from '../host-world.ts';
import { WebServer, type Answer } from './web-server.ts';

/** Of this computer, and public to the host of a test, as are all names. */
export const publicAddress = '127.0.0.2';

export const internet = {
  resolve: () => Promise.resolve([publicAddress]),
  classOf: (address: string) => (address === publicAddress ? 'public' : addressClass(address)),
} as const;

export class WebWorld {
  readonly world: World;
  readonly server: WebServer;

  private constructor(world: World, server: WebServer) {
    this.world = world;
    this.server = server;
  }

  static async start(answers: Record<string, Answer>, options: WorldOptions = {}): Promise<WebWorld> {
    const server = await WebServer.start(answers, publicAddress);
    const world = await World.start({ webEdges: internet, ...options });
    const folder = join(world.dir, 'data', 'profiles', 'web');
    await mkdir(folder, { recursive: true });
    const profile = { name: 'Web', description: '', models: [], approvals: 'accept_edits' };
    const tools = ['web_search', 'fetch_url', 'create_document'];
    await writeFile(join(folder, 'profile.json'), JSON.stringify({ ...profile, tools }));
    await writeFile(join(folder, 'system.md'), 'You help.\n');
    await world.restartHost();
    return new WebWorld(world, server);
  }

  /** At a name that leads to the server. */
  url(path: string, host = 'a.example'): string {
    return this.server.url(path, host);
  }

  get rpc() {
    return this.world.openWindow().rpc;
  }

  session(): Promise<SessionView> {
    return this.world.openSession('web');
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.server.close();
  }
}

export const questions = (session: SessionView): Approval[] =>
  session.events.flatMap(({ event }) => (event.type === 'approval/requested' ? [event.approval] : []));

/** Says yes to the question of that place in the session, once it is asked. */
export async function allowHost(session: SessionView, at: number, hostScope?: HostScope): Promise<void> {
  await session.until(() => questions(session).length > at);
  await session.rpc.call('approval/answer', {
    sessionId: session.sessionId,
    approvalId: questions(session)[at]?.id ?? '',
    decision: 'allow',
    ...(hostScope && { hostScope }),
  });
}
