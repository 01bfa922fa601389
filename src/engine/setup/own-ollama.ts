/** Andiron's own Ollama: which version is installed, with which models, and its child. Told in the state's `setup`. */
import type { Setup } from '../../protocol/engine-room.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import { pause } from '../base/timing.ts';
import type { OwnHost } from '../supervision/supervisor.ts';
import type { SetupEdges } from './edges.ts';
import type { Installer } from './installer.ts';
import { createOwnChild, type OwnChild } from './own-child.ts';
import type { OwnRecords } from './own-process.ts';
import type { OwnRecord } from './own-record.ts';
import type { Release } from './release.ts';
import { personsModels, type SetupFolders } from './setup-folders.ts';

export interface OwnOllamaOptions {
  records: OwnRecords;
  folders: SetupFolders;
  installer: Pick<Installer, 'programOf' | 'cleanUp' | 'left'>;
  /** Nobody uses the GPU: only then the child is exchanged. */
  isIdle: () => boolean;
  facts: Pick<Facts, 'publish'>;
}

const quietPollMs = 1_000;

export class OwnOllama implements OwnHost {
  readonly #deps: EngineDeps;
  readonly #edges: SetupEdges;
  readonly #state: StateStore;
  readonly #options: OwnOllamaOptions;
  readonly #child: OwnChild;
  #opening = true;
  #closed = false;

  constructor(deps: EngineDeps, edges: SetupEdges, state: StateStore, options: OwnOllamaOptions) {
    this.#deps = deps;
    this.#edges = edges;
    this.#state = state;
    this.#options = options;
    const { records, folders, installer } = options;
    this.#child = createOwnChild(deps, edges, {
      records,
      folders,
      async program() {
        const record = records.own();
        const program = record && (await installer.programOf(record.version));
        if (program) return program;
        throw new AndironError(
          'engine_unavailable',
          'The program of Ollama is gone.',
          'Set Ollama up again.',
        );
      },
      keepsPartials: () => state.current().pulls.length > 0 || records.own()?.modelsFolder !== folders.models,
      onChange: () => options.facts.publish({ type: 'child/changed' }),
      onGivenUp: (failure) => options.facts.publish({ type: 'engine/failed', failure }),
    });
  }

  look(): ReturnType<OwnHost['look']> {
    const { records, folders } = this.#options;
    const record = records.own();
    if (!record || record.port === null) return null;
    return {
      url: `http://127.0.0.1:${String(record.port)}`,
      program: folders.version(record.version),
      alive: this.isAlive(),
      coming: this.#opening || this.#child.isComing(),
      hint: `Start it here, or read its log: ${folders.log}`,
    };
  }

  isAlive(): boolean {
    return this.#child.isAlive();
  }

  get version(): string | null {
    return this.#options.records.own()?.version ?? null;
  }

  /** Cleans up what an earlier Andiron left, and starts the child where it was set up. Never rejects. */
  async open(release: Release | null): Promise<void> {
    const { facts } = this.#options;
    const fail = (failure: unknown): void => facts.publish({ type: 'engine/failed', failure });
    await this.#recognise(release).catch(fail);
    this.#opening = false;
    if (this.version === null || this.#closed) facts.publish({ type: 'child/changed' });
    else {
      this.start().catch((error: unknown) => {
        if (!this.#isLeaving) fail(error);
      });
    }
  }

  /** Runs this version, which is in its place; the one before it stays until this one has answered. */
  async use(version: string, signal: AbortSignal): Promise<void> {
    const { records, isIdle } = this.#options;
    const before = records.own();
    if (!before) records.setOwn(await this.#freshRecord(version));
    else if (before.version !== version) {
      while (!isIdle()) {
        await pause(this.#deps.clock, quietPollMs, signal);
        signal.throwIfAborted();
      }
      await this.#child.stop();
      this.#remember({ version, previous: before.version });
    }
    await this.#reportInstalled();
    await this.start(signal);
  }

  /** @param models with its own library; the person's is never ours to delete. */
  async remove(models: boolean): Promise<void> {
    const { files } = this.#edges;
    const { records, folders, facts } = this.#options;
    const isEmpty = async (folder: string): Promise<boolean> =>
      (await this.#deps.files.list(folder)).length === 0;
    await this.#child.stop();
    await files.remove(folders.doomed);
    if (!(await isEmpty(folders.versions))) await files.rename(folders.versions, folders.doomed);
    records.setOwn(null);
    facts.publish({ type: 'child/changed' });
    for (const path of [folders.doomed, folders.downloads, folders.home]) await files.remove(path);
    if (models) await files.remove(folders.models);
    if (await isEmpty(folders.root)) await files.remove(folders.root);
    await this.#reportInstalled();
  }

  /** What fails from now on is nobody's concern. */
  close(): void {
    this.#closed = true;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }

  hung(): Promise<void> {
    return this.#child.hung();
  }

  /**
   * Starts what the record names; a version that never answered gives way to the one before it. Where the start was only
   * cancelled, it stays on the disk.
   */
  async start(signal?: AbortSignal): Promise<void> {
    const record = this.#options.records.own();
    try {
      await this.#child.start(signal);
    } catch (error) {
      if (!record?.previous || this.#isLeaving) throw error;
      await this.#child.stop();
      this.#remember({ version: record.previous, previous: null });
      if (!signal?.aborted) await this.#removeVersion(record.version);
      await this.#reportInstalled();
      await this.#child.start();
      throw error;
    }
    if (!record?.previous) return;
    this.#remember({ previous: null });
    await this.#removeVersion(record.previous);
  }

  get #isLeaving(): boolean {
    return this.#closed || this.#state.current().setup.job?.phase === 'removing';
  }

  async #removeVersion(version: string): Promise<void> {
    const { files } = this.#edges;
    const { folders } = this.#options;
    const place = folders.version(version);
    await files.remove(folders.doomed);
    if (await this.#deps.files.exists(place)) await files.rename(place, folders.doomed);
    await files.remove(folders.doomed);
  }

  async #recognise(release: Release | null): Promise<void> {
    const { records, installer } = this.#options;
    const record = records.own();
    if (record && (await installer.programOf(record.version)) === null) records.setOwn(null);
    // Whole, but not in the record: `engine.json` was lost.
    if (!records.own() && release && (await installer.programOf(release.version)) !== null) {
      records.setOwn(await this.#freshRecord(release.version));
    }
    const own = records.own();
    // An update is unpacked long before it is used: whoever ends Andiron meanwhile does not want it downloaded twice.
    const isWhole = release !== null && (await installer.programOf(release.version)) !== null;
    const wanted = [own?.version, own?.previous, isWhole ? release.version : null];
    await installer.cleanUp(
      wanted.filter((version) => typeof version === 'string'),
      release,
    );
    await this.#reportInstalled();
    const left = release && own?.version !== release.version ? await installer.left(release) : null;
    if (!left) return;
    const kind = own ? 'update' : 'install';
    this.#update({ job: { kind, phase: 'paused', ...left, bytesPerSecond: null, problem: null } });
  }

  async #freshRecord(version: string): Promise<OwnRecord> {
    return { version, previous: null, port: null, modelsFolder: await this.#chooseModels(), child: null };
  }

  /** Our own library once it has something in it; else the person's where there is one. */
  async #chooseModels(): Promise<string> {
    const { files, machine } = this.#deps;
    const { models } = this.#options.folders;
    if ((await files.list(models)).length > 0) return models;
    const persons = personsModels(machine);
    return (await files.list(persons)).includes('manifests') ? persons : models;
  }

  async #reportInstalled(): Promise<void> {
    const { records, folders, installer } = this.#options;
    const record = records.own();
    const models = record?.modelsFolder ?? (await this.#chooseModels());
    let installed: Setup['installed'] = null;
    if (record) {
      const folder = folders.version(record.version);
      let sizeBytes = 0;
      for await (const { size } of this.#edges.files.walk(folder)) sizeBytes += size;
      installed = { version: record.version, folder, sizeBytes };
    }
    const { offer } = this.#state.current().setup;
    const isHere = offer !== null && (await installer.programOf(offer.version)) !== null;
    this.#update({
      installed,
      models: { folder: models, own: models === folders.models },
      offer: offer && { ...offer, downloadBytes: isHere ? 0 : null },
    });
  }

  #remember(changes: Partial<OwnRecord>): void {
    const { records } = this.#options;
    const record = records.own();
    if (record) records.setOwn({ ...record, ...changes });
  }

  #update(changes: Partial<Setup>): void {
    this.#state.update({ setup: { ...this.#state.current().setup, ...changes } });
  }
}
