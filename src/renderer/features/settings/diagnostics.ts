/** What a person copies for a report of a fault: versions and states. No keys, no names, nothing that was said. */
import type { EngineState } from '../../../protocol/model.ts';
import type { About } from '../../../protocol/person-methods.ts';
import { person, settings } from '../../text.ts';
import { gigabytes } from '../../formats.ts';

const { about: words } = person;
const { facts: names } = words;

export interface DiagnosticFacts {
  about: About;
  commit: string | null;
  host: {
    connection: string;
    sessions: readonly unknown[];
    profiles: readonly unknown[];
    problems: readonly unknown[];
  };
  engine: { connection: string; engine: EngineState | null };
  window: { width: number; height: number; agent: string };
}

export function diagnosticsOf({ about, commit, host, engine: room, window }: DiagnosticFacts): string {
  const { engine } = room;
  const { node, sqlite, electron, chromium } = about.runtimes;
  const version = [about.version ?? words.unknown, commit ?? null].filter((part) => part !== null).join(', ');
  const shell =
    electron === null ? window.agent : `Electron ${electron}, Chromium ${chromium ?? words.unknown}`;
  const lines: [name: string, value: string][] = [
    [names.andiron, version],
    [names.system, `${about.platform}, ${about.arch}, Node ${node}, SQLite ${sqlite}`],
    [names.window, `${String(window.width)} × ${String(window.height)}, ${shell}`],
    [names.engine, engineWords(engine)],
    ...(engine?.gpus ?? []).map((gpu): [string, string] => [
      names.gpu,
      `${gpu.name}, ${gpu.vramTotalBytes === null ? words.unknown : `${gigabytes(gpu.vramTotalBytes)} GB`}`,
    ]),
    ...(engine?.loaded ?? []).map((model): [string, string] => [
      names.loaded,
      `${model.name}, ${gigabytes(model.vramBytes)} of ${gigabytes(model.sizeBytes)} GB in VRAM`,
    ]),
    [names.sessions, String(host.sessions.length)],
    [names.profiles, `${String(host.profiles.length)}, ${String(host.problems.length)} unreadable`],
    [names.connection, `host ${host.connection}, engine ${room.connection}`],
    [names.data, shortPath(about.dataDir, about.homeDir)],
    [names.searchPath, searchPathWords(about)],
    [names.sandbox, sandboxWords(about)],
  ];
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  return lines.map(([name, value]) => `${name.padEnd(width)}${value}`).join('\n');
}

/** Where PATH came from: what is not found by a command is often no fault of the command. */
export function searchPathWords({ searchPath, homeDir }: Pick<About, 'searchPath' | 'homeDir'>): string {
  const { source, shell, reason } = searchPath;
  const why = homeDir ? (reason?.replaceAll(homeDir, '~') ?? null) : reason;
  return person.about.searchPath(source, shell && shortPath(shell, homeDir), why);
}

/** What commands are kept in, or why in nothing. */
export function sandboxWords({ sandbox, homeDir }: Pick<About, 'sandbox' | 'homeDir'>): string {
  if (sandbox.kind !== 'none') return person.about.sandboxed[sandbox.kind](sandbox.version, sandbox.hasProxy);
  const { problem, detail } = sandbox;
  return person.about.notSandboxed[problem](homeDir ? detail.replaceAll(homeDir, '~') : detail);
}

/** The home folder carries a name: it is written as `~`. */
export function shortPath(path: string, home: string | null): string {
  if (home === null || home === '') return path;
  if (path === home) return '~';
  const inside = path.startsWith(home) && /^[/\\]/.test(path.slice(home.length));
  return inside ? `~${path.slice(home.length)}` : path;
}

function engineWords(engine: EngineState | null): string {
  if (!engine) return words.unknown;
  const { status } = engine;
  if (status.kind !== 'running') return settings.engine.states[status.kind];
  return status.simulated ? `${status.version}, ${words.simulated}` : status.version;
}
