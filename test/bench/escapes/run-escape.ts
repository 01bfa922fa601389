/** One try to leave the folder of a command, in a sandbox or without: what it did is looked at from outside. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { lstatSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createCommandSandbox, type CommandSandbox } from '../../../src/host/tools/command-sandbox.ts';
import { freeBytes } from '../../../src/platform/disk-space.ts';
import { systemFiles } from '../../../src/platform/files.ts';
import { listenLocally, type LocalSocket } from '../../../src/platform/local-socket.ts';
import { openHostProxy, type HostProxy } from '../../../src/platform/sandbox/host-proxy.ts';
import type { KeptStart, Sandbox, SandboxStart } from '../../../src/platform/sandbox/sandbox.ts';
import type { Escape } from './escapes.ts';

export interface Tried {
  /** It did what it wanted. */
  escaped: boolean;
  /** Processes that went on after it; they are ended here. */
  survivors: number;
}

/** Of a data folder whose path is too long for a socket. */
const longName = 'hidden-too'.padEnd(120, '-');
const secretWords = 'the-words-that-nobody-may-read';
/** Longer than any of them takes. */
const limitMs = 15_000;
/** The kernel needs no longer for what it has begun to end, however busy the machine is. */
const dyingMs = 2_000;

/** A process may be seen to end before what it reached: that counts for this try, and for no later one. */
async function connectionsSeen(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await setImmediate();
}

/** The same place, servers and victim for all tries; each gets them anew where one has changed them. */
export class EscapeGround {
  readonly #base = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-escapes-')));
  readonly #kept: CommandSandbox;
  readonly #id = `${process.pid}-${Date.now()}`;
  readonly #servers: Server[] = [];
  readonly #hostSockets: LocalSocket[] = [];
  readonly #datagrams = createSocket('udp4');
  #reached = 0;
  #tries = 0;
  #victim: ChildProcess | undefined;
  #env: Record<string, string> = {};

  /** The person who sits at it allows every host. */
  readonly #proxy: HostProxy;
  /** null = no proxy can be let in. */
  readonly #door: string | null;

  private constructor(sandbox: Sandbox, proxy: HostProxy) {
    this.#proxy = proxy;
    this.#door = sandbox.openProxy ? proxy.path : null;
    const programs = { PATH: `${this.#at('outside')}:${process.env['PATH'] ?? ''}` };
    this.#kept = createCommandSandbox({
      sandbox,
      files: systemFiles,
      platform: process.platform,
      freeBytes,
      environment: programs,
      dataDirs: [this.#at('hidden'), this.#at(longName)],
      homeDirs: [],
    });
  }

  static async prepare(sandbox: Sandbox): Promise<EscapeGround> {
    const proxy = await openHostProxy({ mayReach: async () => true });
    const ground = new EscapeGround(sandbox, proxy);
    ground.#layTemplate();
    await ground.#listen();
    return ground;
  }

  async close(): Promise<void> {
    this.#victim?.kill('SIGKILL');
    this.#datagrams.close();
    await this.#proxy.close();
    for (const server of this.#servers) server.close();
    for (const socket of this.#hostSockets) await socket.close();
    rmSync(this.#base, { recursive: true, force: true });
  }

  async try({ kind, script }: Escape, isKept: boolean): Promise<Tried> {
    this.#tries += 1;
    const workspace = this.#layOut();
    const victim = await this.#startVictim();
    const before = { reached: this.#reached, outside: stateOf(this.#at('outside')), own: this.#ownState() };
    const start = { file: '/bin/sh', args: ['-c', script], cwd: workspace };
    const said = await this.#run(
      isKept ? await this.#kept.keep(start, { workspace }, this.#door) : withOwnMounts(start),
    );
    const survivors = await this.#endSurvivors();
    await connectionsSeen();
    const did: Record<Escape['kind'], () => boolean> = {
      write: () => stateOf(this.#at('outside')) !== before.outside,
      read: () => said.includes(secretWords),
      network: () => this.#reached > before.reached,
      process: () => hasEnded(victim) || said.includes(this.#victimName()),
      survive: () => survivors > 0,
      later: () => this.#ownState() !== before.own,
    };
    return { escaped: did[kind](), survivors };
  }

  /** How long a command that does nothing takes; ms. */
  async time(isKept: boolean): Promise<number> {
    const start = { file: '/bin/sh', args: ['-c', ':'], cwd: this.#at('work') };
    const begun = performance.now();
    await this.#run(isKept ? await this.#kept.keep(start, { workspace: start.cwd }, this.#door) : start);
    return performance.now() - begun;
  }

  #at(name: string): string {
    return join(this.#base, name);
  }

  #victimName = (): string => `victim-of-${this.#id}`;
  /** Of this try alone: what an earlier one has left may begin only now. */
  #mark = (): string => `survivor-of-${this.#id}-${this.#tries}.`;

  #layTemplate(): void {
    const template = this.#at('template');
    mkdirSync(template);
    spawnSync('git', ['init', '-q', template]);
    for (const folder of ['.git/hooks', '.vscode', '.github/workflows']) {
      mkdirSync(join(template, folder), { recursive: true });
    }
    writeFileSync(join(template, '.git/hooks/sample'), 'as it was\n');
    writeFileSync(join(template, '.vscode/settings.json'), '{}\n');
    writeFileSync(join(template, '.envrc'), 'as it was\n');
    writeFileSync(join(template, '.github/workflows/test.yml'), 'on: push\n');
    for (const folder of ['hidden', longName, 'outside', 'work']) mkdirSync(this.#at(folder));
    writeFileSync(this.#at('hidden/secret'), `${secretWords}\n`);
  }

  #layOut(): string {
    rmSync(this.#at('work'), { recursive: true, force: true });
    cpSync(this.#at('template'), this.#at('work'), { recursive: true });
    const outside = this.#at('outside');
    for (const name of readdirSync(outside)) rmSync(join(outside, name), { recursive: true, force: true });
    writeFileSync(join(outside, 'target'), 'as it was\n', { mode: 0o644 });
    spawnSync('mkfifo', [join(outside, 'fifo')]);
    return this.#at('work');
  }

  async #listen(): Promise<void> {
    const reached = (): void => void (this.#reached += 1);
    const places = [
      { host: '127.0.0.1', port: 0 },
      { host: '0.0.0.0', port: 0 },
      { host: '::1', port: 0 },
      { path: `\0andiron-${this.#id}` },
      { path: this.#at('hidden/socket') },
    ];
    for (const place of places) {
      const server = createServer((socket) => {
        reached();
        socket.on('error', () => undefined).destroy();
      });
      server.listen(place);
      await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => undefined);
      this.#servers.push(server);
    }
    const limits = { frameBytes: 1_000, signInBytes: 1_000, signInMs: 1_000, connections: 100 };
    for (const name of ['hidden', longName]) {
      const dataDir = this.#at(name);
      this.#hostSockets.push(await listenLocally({ dataDir, limits, onConnection: reached }));
    }
    const [hostSocket, longHostSocket] = this.#hostSockets;
    const [, everywhere, six] = this.#servers;
    this.#datagrams.on('message', reached).bind(portOf(everywhere), '127.0.0.1');
    await once(this.#datagrams, 'listening');
    this.#env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.#at('work'),
      OUT: this.#at('outside'),
      SECRET: this.#at('hidden/secret'),
      PORT: String(portOf(everywhere)),
      PORT6: String(portOf(six)),
      LAN: lanAddress(),
      ABSTRACT: `andiron-${this.#id}`,
      HOST_SOCKET: hostSocket?.path ?? '',
      LONG_HOST_SOCKET: longHostSocket?.path ?? '',
      VICTIM_NAME: this.#id,
      PID_NAMESPACE: readlinkSync('/proc/self/ns/pid'),
    };
  }

  /** Another program of the same user, whose name stands in its environment alone. */
  async #startVictim(): Promise<ChildProcess> {
    const running = this.#victim;
    if (running && !hasEnded(running)) return running;
    const write = `trap 'echo x >"${this.#at('outside')}/new"' USR1; echo ready; while :; do sleep 0.1; done`;
    const child = spawn('/bin/sh', ['-c', write, this.#victimName()], {
      env: { PATH: process.env['PATH'] ?? '', NAME: this.#victimName() },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    this.#env['VICTIM'] = String(child.pid);
    this.#victim = child;
    return child;
  }

  /** Started as plainly as can be: nothing but the sandbox keeps it in, or ends what it leaves. */
  async #run({ file, args, cwd, env, release }: KeptStart): Promise<string> {
    const child = spawn(file, args, {
      cwd,
      env: { ...this.#env, MARK: this.#mark(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += String(data)));
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    await once(child, 'exit');
    clearTimeout(timer);
    // What it left may hold the pipes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    child.stdout.destroy();
    child.stderr.destroy();
    await release?.();
    return said;
  }

  async #endSurvivors(): Promise<number> {
    // What the system is just ending may still be listed; what survives means to go on for a minute.
    const until = performance.now() + dyingMs;
    let alive = this.#marked();
    while (alive.length > 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      alive = this.#marked();
    }
    for (const pid of alive) spawnSync('kill', ['-9', pid]);
    return alive.length;
  }

  #marked(): string[] {
    return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && this.#isMarked(pid));
  }

  #isMarked(pid: string): boolean {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.#mark());
    } catch {
      return false;
    }
  }

  /** What programs run on their own in the work. */
  #ownState(): string {
    const names = ['.git/hooks', '.git/config', '.vscode', '.envrc', '.github'];
    return names.map((name) => stateOf(join(this.#at('work'), name))).join('\n');
  }
}

/** What the administrator mounts shall not stay behind; nothing else is kept from it. */
const withOwnMounts = ({ file, args, cwd }: SandboxStart): SandboxStart =>
  process.getuid?.() === 0 ? { file: 'unshare', args: ['-m', file, ...args], cwd } : { file, args, cwd };

const portOf = (server?: Server): number => (server?.address() as AddressInfo | null)?.port ?? 0;

/** Asked of the system: what one try has killed must not count as killed by the next one, when Node is told. */
function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  if (exitCode !== null || signalCode !== null) return true;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const isKilled = [...status.matchAll(/^(?:Sig|Shd)Pnd:\s*([\da-f]+)$/gm)].some(
      ([, pending = '0']) => (BigInt(`0x${pending}`) & sigkill) !== 0n,
    );
    return isKilled || /^State:\s*[ZX]/m.test(status);
  } catch {
    return true;
  }
}

/** As it stands in a set of signals. */
const sigkill = 1n << 8n;

/** Names, contents, modes and times of all that is there, as text. */
function stateOf(path: string): string {
  if (!existsSync(path)) return `${path}: none`;
  const stat = statSync(path);
  const about = `${path} ${stat.mode} ${stat.isDirectory() ? '' : stat.mtimeMs}`;
  if (stat.isDirectory())
    return [
      about,
      ...readdirSync(path)
        .toSorted()
        .map((name) => stateOf(join(path, name))),
    ].join('\n');
  return lstatSync(path).isFile() ? `${about} ${readFileSync(path, 'base64')}` : about;
}

/** Where others of its network would find this machine. */
const lanAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
