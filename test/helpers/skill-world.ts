/** The host with a folder that has instructions and skills, and a model that makes the calls which its message names. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withoutNotes } from '../../src/host/prompt/notes.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import type { SkillList } from '../../src/protocol/skill-methods.ts';
import type { ScriptRequest } from '../../src/sim/script/script.ts';
import { callingScript } from './grant-tries.ts';
import { World, type SessionView, type WorldOptions } from './host-world.ts';

export const skillFile = (name: string, body: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.${more}\n---\n\n${body}\n`;

export class SkillWorld {
  /** In the order in which the engine got them. */
  readonly requests: ScriptRequest[] = [];
  world!: World;

  static async start(files: Record<string, string>, options: WorldOptions = {}): Promise<SkillWorld> {
    const skilled = new SkillWorld();
    const script = (request: ScriptRequest) => {
      if (request.endpoint === 'chat') skilled.requests.push(request);
      return callingScript(request);
    };
    skilled.world = await World.start({ files, sim: { script }, ...options });
    return skilled;
  }

  /** Of the newest request: the first message of the person, without notes. */
  get opening(): string {
    const first = this.requests.at(-1)?.messages.find(({ role }) => role === 'user');
    return withoutNotes(first?.content ?? '');
  }

  get workspace(): string {
    return join(this.world.dir, 'workspace');
  }

  /** In the data folder. */
  async own(name: string, body: string, more?: string): Promise<void> {
    await this.write(`data/skills/${name}/SKILL.md`, skillFile(name, body, more));
  }

  async write(path: string, content: string): Promise<void> {
    const file = join(this.world.dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** A session in the folder, which is trusted, with all of its skills allowed. */
  async trusted(profileId?: string): Promise<SessionView> {
    const session = await this.world.openSession(profileId);
    const { rpc } = session;
    const { workspace } = this;
    const { skills } = await rpc.call('skill/trust-folder', { workspace, isTrusted: true });
    for (const { path, hash, state } of skills)
      if (state === 'waiting') await rpc.call('skill/allow', { workspace, path, hash });
    return session;
  }

  list({ rpc }: SessionView): Promise<SkillList> {
    return rpc.call('skill/list', { workspace: this.workspace });
  }

  close(): Promise<void> {
    return this.world.close();
  }
}

/** Keeps nothing in, says that it does, and keeps the rules of each command. */
export function watchedSandbox(): Sandbox & { policies: Parameters<Sandbox['keep']>[1][] } {
  const policies: Parameters<Sandbox['keep']>[1][] = [];
  return {
    policies,
    status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
    hidden: [],
    keep: (start, policy) => {
      // A search changes nothing, and is kept in by other rules.
      if (policy.writable.length > 0) policies.push(policy);
      return Promise.resolve(start);
    },
  };
}
