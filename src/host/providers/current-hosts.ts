/**
 * The hosts of `hosts.json` as they are now. People write the file by hand before a start, or add and remove hosts in the
 * settings while Andiron runs: what they wrote by hand stays as it is.
 */
import { join } from 'node:path';
import type { Files } from '../../platform/files.ts';
import { privateFileMode } from '../../platform/private-data.ts';
import { AndironError } from '../../protocol/errors.ts';
import { engineHost } from '../../rules/model-names.ts';
import type { HostConfig } from './host-kind.ts';
import { hostsFileName, loadHosts, maxHostsFileBytes, readHosts, type LoadedHosts } from './hosts.ts';

export interface HostsNow {
  all(): readonly HostConfig[];
  find(id: string): HostConfig | undefined;
  /** Ids of all of them. It stays the same set, so whoever holds it sees who comes and goes. */
  readonly ids: ReadonlySet<string>;
}

export interface HostList extends HostsNow {
  /** What of the file cannot be used; null = nothing. */
  problem(): string | null;
  /**
   * It is written when this resolves. Rejects with AndironError where the file cannot be used as it is, or one of the hosts is
   * the same.
   */
  add(host: NewHost, isSame: (there: HostConfig) => boolean): Promise<HostConfig>;
  /** Likewise. Nothing happens where there is none of that id. */
  remove(id: string): Promise<void>;
}

interface NewHost extends Pick<HostConfig, 'kind' | 'url'> {
  /** How the person calls it; its id is made of that. Empty = it is called by its address. */
  name: string;
}

interface HostListDeps {
  files: Pick<Files, 'readBytes' | 'realPath' | 'writeAtomic'>;
  dataDir: string;
  /** Names of something else begin with that, such as those of a model of the engine. */
  isTaken: (id: string) => boolean;
  /** Called when hosts came or went, with the ids of those that are gone. */
  onChange: (removed: string[]) => void;
}

type Entries = NonNullable<LoadedHosts['file']>['hosts'];
type Change = (entries: Entries, hosts: readonly HostConfig[]) => Entries;

/** A list that never changes but by `set`. */
export function hostsNow(
  first: readonly HostConfig[],
): HostsNow & { set(hosts: readonly HostConfig[]): void } {
  let hosts = first;
  const ids = new Set(hosts.map(({ id }) => id));
  return {
    ids,
    all: () => hosts,
    find: (id) => hosts.find((host) => host.id === id),
    set(next) {
      hosts = next;
      ids.clear();
      for (const { id } of next) ids.add(id);
    },
  };
}

/** Never rejects. */
export async function openHostList(deps: HostListDeps): Promise<HostList> {
  const { files, dataDir, isTaken, onChange } = deps;
  const first = await loadHosts(files, dataDir);
  const now = hostsNow(first.hosts);
  let { problem } = first;
  let before: Promise<unknown> = Promise.resolve();

  /** The file may have been edited since it was read last, so it is read again. */
  const edit = async (change: Change): Promise<void> => {
    const loaded = await loadHosts(files, dataDir);
    if (!loaded.file) throw unusable(loaded.problem ?? hostsFileName);
    const next = { ...loaded.file, hosts: change(loaded.file.hosts, loaded.hosts) };
    const result = readHosts(next);
    const content = `${JSON.stringify(next, null, 2)}\n`;
    if (!result.file || Buffer.byteLength(content) > maxHostsFileBytes)
      throw unusable(result.problem ?? `${hostsFileName} has no room for more.`);
    const path = join(dataDir, hostsFileName);
    await files.writeAtomic((await files.realPath(path)) ?? path, content, { mode: privateFileMode });
    const ids = [...now.ids];
    now.set(result.hosts);
    ({ problem } = result);
    onChange(ids.filter((id) => !now.ids.has(id)));
  };
  /** One after the other: each sees what the one before it wrote. */
  const inLine = (change: Change): Promise<void> => {
    const edited = before.then(
      () => edit(change),
      () => edit(change),
    );
    before = edited;
    return edited;
  };

  return {
    ...now,
    problem: () => problem,
    async add({ name, kind, url }, isSame) {
      let id = '';
      await inLine((entries, hosts) => {
        const same = hosts.find(isSame);
        if (same) throw isThere(same.name);
        const ids = new Set(entries.map((entry) => entry['id']));
        id = freeId(
          name === '' ? nameOf(url) : name,
          (each) => each === engineHost || ids.has(each) || isTaken(each),
        );
        return [...entries, { id, name: name === '' ? new URL(url).host : name, kind, url }];
      });
      const added = now.find(id);
      if (!added) throw unusable(hostsFileName);
      return added;
    },
    remove: (id) => inLine((entries) => entries.filter((entry) => entry['id'] !== id)),
  };
}

const maxId = 32;

/** Numbers make no name that anybody would read as one. */
function nameOf(url: string): string {
  const [first = ''] = new URL(url).hostname.split('.');
  return first === 'localhost' || !/[a-z]/.test(first) ? '' : first;
}

/** Of the letters and digits of the name; a number follows where that is taken. */
function freeId(name: string, isTaken: (id: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const word = plain === '' ? 'server' : plain;
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : `-${String(count)}`;
    const id = word.slice(0, maxId - end.length) + end;
    if (!isTaken(id)) return id;
  }
}

const unusable = (problem: string): AndironError =>
  new AndironError(
    'invalid_params',
    `The list of servers cannot be changed. ${problem}`,
    'Correct hosts.json in the data folder, then try again.',
  );

export const isThere = (name: string): AndironError =>
  new AndironError(
    'invalid_params',
    `${name} already has this address.`,
    'Remove it first, then add it again.',
  );
