/** The demo beside the app: a second Andiron with data of its own, which has its own window and lives on without this one. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ownAppImage } from '../platform/app-dir.ts';

export interface DemoStart {
  /** Of Electron, or of the packed app. */
  self: { execPath: string; env: NodeJS.ProcessEnv };
  /** null = it is packed, and knows where its code is. */
  appPath: string | null;
  dataDir: string;
  /** False where Chromium has no sandbox here. */
  hasSandbox: boolean;
}

/** Where it runs already, its window comes to the front. Resolves once it was started. */
export function openDemoBeside(start: DemoStart, env: Record<string, string>): Promise<null> {
  return new Promise((resolve, reject) => {
    const { execPath, env: own } = start.self;
    const program = ownAppImage(own, execPath) ?? execPath;
    const child = spawn(program, demoArguments(start), { detached: true, stdio: 'ignore', env });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve(null);
    });
  });
}

export function demoArguments({ appPath, dataDir, hasSandbox }: DemoStart): string[] {
  return [
    ...(appPath === null ? [] : [appPath]),
    '--demo',
    `--data-dir=${join(dataDir, 'demo')}`,
    ...(hasSandbox ? [] : ['--no-sandbox']),
  ];
}
