/** Programs that a server under test finds on its PATH: a driver with a card, an Ollama that can be started. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, temporaryFolder } from '../helpers/server-process.ts';

export interface FakePrograms {
  /** The environment of the server: these programs come first. */
  env: NodeJS.ProcessEnv;
  remove: () => void;
}

/** A machine with one NVIDIA card, of which other programs hold a part: sizes in MiB. */
export function fakeDriver(totalMib: number, usedMib: number): FakePrograms {
  const card = `NVIDIA RTX PRO 6000, ${String(totalMib)}, ${String(usedMib)}, 7, 41, 23.41`;
  const folder = folderOf({
    'nvidia-smi': `case "$1" in --query-compute*) ;; *) echo "${card}, GPU-1f2e, 0x0000000000000001";; esac`,
  });
  return { env: { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` }, remove: folder.remove };
}

export interface FakeOllama extends FakePrograms {
  /** Ends what was started, if anything was. */
  end: () => void;
}

/** `ollama serve` starts the simulated engine at this port; it lives on without whoever started it. */
export function fakeOllama(port: number): FakeOllama {
  const engine = join(projectRoot, 'out', 'main', 'sim.js');
  const folder = folderOf({
    ollama: `echo $$ > "$0.pid"\nexec "${process.execPath}" "${engine}" --demo --port ${String(port)}`,
  });
  const pidFile = join(folder.path, 'ollama.pid');
  return {
    env: { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` },
    remove: folder.remove,
    end() {
      if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM');
    },
  };
}

/** Any programs, each the body of a shell script; `path` is their folder. */
export function programsOf(programs: Record<string, string>): FakePrograms & { path: string } {
  const folder = folderOf(programs);
  const env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` };
  return { env, path: folder.path, remove: folder.remove };
}

function folderOf(programs: Record<string, string>): { path: string; remove: () => void } {
  const folder = temporaryFolder();
  mkdirSync(folder.path, { recursive: true });
  for (const [name, body] of Object.entries(programs)) {
    const path = join(folder.path, name);
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
  }
  return folder;
}
