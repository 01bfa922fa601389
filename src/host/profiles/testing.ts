/** Profiles in folders of their own on a real disk. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { silentLog } from '../../platform/log.ts';
import { createProfiles, type Profiles, type ProfilesDeps } from './profiles.ts';

export interface ProfileHome {
  /** Holds the folders `built-in` and `own`. */
  folder: string;
  /** A text in place of `file` is written as it is. */
  write(where: 'built-in' | 'own', id: string, file: unknown, prompt?: string): Promise<void>;
  open(more?: Partial<ProfilesDeps>): Promise<Profiles>;
  /** Closes all that was opened. */
  remove(): Promise<void>;
}

export async function profileHome(): Promise<ProfileHome> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'andiron-profiles-')));
  const opened: Profiles[] = [];
  return {
    folder,
    async write(where, id, file, prompt) {
      const path = join(folder, where, id);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, 'profile.json'), typeof file === 'string' ? file : JSON.stringify(file));
      if (prompt !== undefined) await writeFile(join(path, 'system.md'), prompt);
    },
    async open(more = {}) {
      const profiles = await createProfiles({
        builtInDir: join(folder, 'built-in'),
        userDir: join(folder, 'own'),
        files: systemFiles,
        clock: systemClock,
        toolNames: new Set(['read_file', 'run_command']),
        onChange: () => {},
        log: silentLog,
        ...more,
      });
      opened.push(profiles);
      return profiles;
    },
    async remove() {
      for (const profiles of opened) profiles.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
