/** All servers of `mcp.json`: which of their tools may be called, what changed since the person allowed them, their manifests. */
import type { Clock } from '../../platform/clock.ts';
import { unlessAborted } from '../../platform/event-loop.ts';
import type { Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { McpList, McpServer } from '../../protocol/mcp-methods.ts';
import type { Store } from '../store/store.ts';
import type { AllowedTool } from '../store/mcp-store.ts';
import type { PinnedDefinition } from './definitions.ts';
import { describeServer } from './server-manifest.ts';
import { serverFolder } from './open-process.ts';
import {
  addServers,
  changeServer,
  isCommand,
  maySignIn,
  noServer,
  readServerList,
  type ListedServer,
  type ServerList,
} from './server-file.ts';
import { ServerLink, type OpenedTransport } from './server-link.ts';
import type { ServerOffers } from './server-offers.ts';
import type { SignIns } from './sign-ins.ts';

export interface ServersDeps {
  store: Pick<
    Store,
    'allowedServers' | 'allowedTools' | 'allowTools' | 'forgetMcpTool' | 'setMcpToolOn' | 'removeMcpServer'
  >;
  files: Files;
  dataDir: string;
  clock: Clock;
  log: Log;
  version: string;
  open: (server: ListedServer) => Promise<OpenedTransport>;
  signIns: Pick<SignIns, 'standing' | 'begin' | 'cancel' | 'signOut'>;
  onChange: () => void;
}

export interface ServerChanges {
  isOn?: boolean | undefined;
  isUnsandboxed?: boolean | undefined;
  tools?: Record<string, boolean> | undefined;
}

type Listed = Omit<McpList, 'headTokens'>;

/** What is known of a server that runs, or ran. */
interface Known {
  entry: ListedServer;
  link: ServerLink;
  /** As it listed them last; null = it was not asked yet. */
  live: readonly PinnedDefinition[] | null;
  leftOut: number;
}

/** A tool as it was allowed, of a server that is on. */
export interface AllowedCall {
  server: string;
  tool: AllowedTool;
  link: ServerLink;
}

export type Standing = AllowedCall | 'unknown' | 'off' | 'suspended';

export class McpServers {
  readonly #deps: ServersDeps;
  readonly #known = new Map<string, Known>();
  #list: Promise<ServerList>;
  #problem: string | null = null;
  /** Changes of the file, one after another. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: ServersDeps) {
    this.#deps = deps;
    this.#list = this.#read();
  }

  async list(): Promise<Listed> {
    const { servers } = await this.#list;
    const allowed = this.#deps.store.allowedTools();
    return {
      servers: await Promise.all(servers.map((entry) => this.#describe(entry, allowed))),
      problem: this.#problem,
    };
  }

  async refresh(name?: string): Promise<Listed> {
    await this.#reload();
    const wanted = [...this.#known.values()].filter(
      ({ entry }) => !entry.disabled && (name === undefined || entry.name === name),
    );
    if (name !== undefined && !this.#known.has(name)) throw noServer(name);
    await Promise.all(wanted.map(({ link }) => link.refresh()));
    return this.list();
  }

  async add(text: string): Promise<Listed> {
    const { files, dataDir } = this.#deps;
    const names = await this.#inTurn(() => addServers(files, dataDir, text));
    await this.#reload();
    // Each is asked for its tools at once: the person sees what they allowed.
    await Promise.all(names.map((name) => this.#wake(name)));
    return this.list();
  }

  async remove(name: string): Promise<Listed> {
    const { files, dataDir, store, signIns } = this.#deps;
    await this.#inTurn(() => changeServer(files, dataDir, name, null));
    await this.#reload();
    store.removeMcpServer(name);
    await signIns.signOut(name);
    await files.removeFolder(serverFolder(dataDir, name));
    this.#deps.onChange();
    return this.list();
  }

  async change(name: string, { isOn, isUnsandboxed, tools = {} }: ServerChanges): Promise<Listed> {
    const { files, dataDir, store } = this.#deps;
    if (isOn !== undefined || isUnsandboxed !== undefined) {
      const changes = {
        ...(isOn !== undefined && { disabled: !isOn }),
        ...(isUnsandboxed !== undefined && { unsandboxed: isUnsandboxed }),
      };
      await this.#inTurn(() => changeServer(files, dataDir, name, changes));
      await this.#reload();
      await this.#wake(name);
    }
    for (const [tool, isToolOn] of Object.entries(tools)) store.setMcpToolOn(name, tool, isToolOn);
    this.#deps.onChange();
    return this.list();
  }

  /** Resolves with the address that the person opens. */
  async signIn(name: string): Promise<string> {
    const { servers } = await this.#list;
    const entry = servers.find((server) => server.name === name);
    if (!entry || !maySignIn(entry)) throw noServer(name);
    return this.#deps.signIns.begin(entry);
  }

  cancelSignIn(): Promise<Listed> {
    this.#deps.signIns.cancel();
    return this.list();
  }

  async signOut(name: string): Promise<Listed> {
    await this.#deps.signIns.signOut(name);
    await this.#replaceLink(name);
    return this.list();
  }

  /** The person is in, which its connection did not know. */
  async signedIn(name: string): Promise<void> {
    await this.#replaceLink(name);
    await this.#wake(name);
  }

  /** Of a definition that is another one by now nothing is allowed. */
  async confirm(name: string, shown: readonly { name: string; hash: string }[]): Promise<Listed> {
    const { store, clock, onChange } = this.#deps;
    const live = this.#known.get(name)?.live;
    if (!live)
      throw new AndironError('disconnected', 'The server is not connected.', 'Refresh it, then look again.');
    const byName = new Map(live.map((tool) => [tool.name, tool]));
    for (const { name: tool, hash } of shown) {
      const now = byName.get(tool);
      if (now?.hash === hash) store.allowTools(name, [now], clock.now());
      else if (!now && hash === '') store.forgetMcpTool(name, tool);
    }
    onChange();
    return this.list();
  }

  /** Starts those that nobody started yet. Rejects with the signal's reason. */
  async wakeAll(signal: AbortSignal): Promise<void> {
    await this.#list;
    const woken = [...this.#known.values()].filter(({ entry }) => !entry.disabled);
    await unlessAborted(Promise.all(woken.map(({ link }) => link.wake())), signal);
  }

  /** Of servers that are on. */
  usable(): AllowedCall[] {
    const allowed = this.#deps.store.allowedTools();
    return allowed.flatMap((tool) => {
      const standing = this.#standingOf(tool);
      return typeof standing === 'string' ? [] : [standing];
    });
  }

  /** Servers that are on and answer now. */
  connected(): { server: string; offers: ServerOffers }[] {
    return [...this.#known.values()].flatMap(({ entry: { name, disabled }, link: { offers } }) =>
      disabled || offers === null ? [] : [{ server: name, offers }],
    );
  }

  standing(server: string, tool: string): Standing {
    const allowed = this.#deps.store
      .allowedTools()
      .find((each) => each.server === server && each.name === tool);
    if (allowed) return this.#standingOf(allowed);
    return this.#known.get(server)?.live?.some(({ name }) => name === tool) ? 'suspended' : 'unknown';
  }

  async close(): Promise<void> {
    await this.#list;
    await Promise.all([...this.#known.values()].map(({ link }) => link.close()));
  }

  async #replaceLink(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (!known) return;
    this.#known.set(name, this.#link(known.entry));
    await known.link.close();
    this.#deps.onChange();
  }

  async #wake(name: string): Promise<void> {
    const known = this.#known.get(name);
    if (known && !known.entry.disabled) await known.link.wake();
  }

  #standingOf(tool: AllowedTool): Standing {
    const known = this.#known.get(tool.server);
    if (!known) return 'unknown';
    if (known.entry.disabled || !tool.isOn) return 'off';
    const now = known.live?.find(({ name }) => name === tool.name);
    if (known.live && now?.hash !== tool.hash) return 'suspended';
    // Kept before in another order, it has the same hash.
    return { server: tool.server, tool: { ...tool, ...now }, link: known.link };
  }

  async #describe(entry: ListedServer, allowed: readonly AllowedTool[]): Promise<McpServer> {
    const known = this.#known.get(entry.name);
    const pinned = allowed.filter(({ server }) => server === entry.name);
    return describeServer(entry, {
      state: entry.disabled ? { state: 'off' } : (known?.link.state ?? { state: 'idle' }),
      signIn: maySignIn(entry) ? await this.#deps.signIns.standing(entry) : null,
      pinned,
      live: known?.live ?? null,
      leftOut: known?.leftOut ?? 0,
    });
  }

  async #read(): Promise<ServerList> {
    const { files, dataDir, log } = this.#deps;
    const list = await readServerList(files, dataDir);
    if (list.problem !== null) log.warn('a part of mcp.json cannot be used', { problem: list.problem });
    this.#problem = list.problem;
    await this.#follow(list.servers);
    return list;
  }

  async #reload(): Promise<void> {
    this.#list = this.#inTurn(() => this.#read());
    await this.#list;
    this.#deps.onChange();
  }

  /** Links of entries that are as they were stay. */
  async #follow(servers: readonly ListedServer[]): Promise<void> {
    const entries = new Map(servers.map((entry) => [entry.name, entry]));
    for (const [name, { entry, link }] of this.#known) {
      if (JSON.stringify(entries.get(name)) === JSON.stringify(entry)) continue;
      this.#known.delete(name);
      await link.close();
    }
    for (const entry of servers)
      if (!this.#known.has(entry.name)) this.#known.set(entry.name, this.#link(entry));
  }

  #link(entry: ListedServer): Known {
    const { open, clock, version, onChange, log } = this.#deps;
    const link = new ServerLink({
      name: entry.name,
      isAtAddress: !isCommand(entry),
      open: () => open(entry),
      clock,
      version,
      onTools: (tools, leftOut) => this.#takeTools(known, tools, leftOut),
      onState: (state) => {
        if (state.state === 'failed') log.warn('a server of tools failed', { server: entry.name });
        onChange();
      },
    });
    const known: Known = { entry, link, live: null, leftOut: 0 };
    return known;
  }

  /** Whoever adds a server allows what it lists first; whatever it says later waits for a word. */
  #takeTools(known: Known, tools: readonly PinnedDefinition[], leftOut: number): void {
    const { store, clock, onChange } = this.#deps;
    const { name } = known.entry;
    if (!store.allowedServers().includes(name)) store.allowTools(name, tools, clock.now());
    known.live = tools;
    known.leftOut = leftOut;
    onChange();
  }

  /** Whatever fails, the next one begins. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work);
    this.#work = done.catch(() => undefined);
    return done;
  }
}
