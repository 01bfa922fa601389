/** Folders on a real disk, and skills that look at them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { storeFolder } from '../store/testing.ts';
import { Skills, type SkillsDeps } from './skills.ts';

export const skillFile = (name: string, description = `Does ${name}.`, body = `How to do ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** With `work`, `data` and `home` in it. */
export class SkillBench {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-skills-')));
  readonly workspace = this.at('work');
  readonly loaded: Parameters<SkillsDeps['onLoad']>[] = [];
  changes = 0;
  readonly #store = storeFolder();
  readonly store = this.#store.open();
  readonly skills = new Skills({
    files: systemFiles,
    store: this.store,
    clock: systemClock,
    dataDir: this.at('data'),
    resolveWorkspace: (path) => Promise.resolve(path),
    homeDir: this.at('home'),
    onLoad: (...loaded) => void this.loaded.push(loaded),
    onChange: () => void (this.changes += 1),
  });

  constructor() {
    for (const name of ['work', 'data', 'home']) mkdirSync(this.at(name));
  }

  at(...path: string[]): string {
    return join(this.root, ...path);
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  /** @param folder that holds skills */
  add(folder: string, name: string, ...more: [description?: string, body?: string]): void {
    this.write(`${folder}/${name}/SKILL.md`, skillFile(name, ...more));
  }

  /** Of each skill by its name: its state, or what is wrong with it. */
  async states(): Promise<Record<string, string>> {
    const { skills } = await this.skills.list(this.workspace);
    return Object.fromEntries(
      skills.map(({ name, state, problem }) => [name, problem === '' ? state : problem]),
    );
  }

  async allow(name: string): Promise<void> {
    const { skills } = await this.skills.list(this.workspace);
    const skill = skills.find((each) => each.name === name);
    await this.skills.allow(this.workspace, skill?.path ?? '', skill?.hash ?? '');
  }

  /** Names of those that a session in the folder may load. */
  async usable(): Promise<string[]> {
    return (await this.skills.guidance(this.workspace)).skills.map(({ name }) => name);
  }

  load(name: string): Promise<string> {
    return this.skills.load(name, { sessionId: 'ses_1', workspace: this.workspace });
  }

  close(): void {
    this.#store.remove();
    rmSync(this.root, { recursive: true });
  }
}
