/** Andiron without a window, started by a command that found none: it ends once nobody uses it. */
import { spawn } from 'node:child_process';
import type { HostStart } from '../cli/run-cli.ts';
import type { StartedHost } from '../cli/open-host.ts';
import { ownAppImage } from '../platform/app-dir.ts';
import { AndironError } from '../protocol/errors.ts';

export interface BackgroundStart {
  platform: NodeJS.Platform;
  /** False = this process was told to do without Chromium's, and so is that one. */
  hasSandbox: boolean;
  env: Readonly<Record<string, string>>;
  self: { execPath: string; env: NodeJS.ProcessEnv };
}

/** Linux knows no window without a display; other systems always have one. */
export const lacksDisplay = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean =>
  platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'];

export function startBackgroundApp({ dataDir, engineUrl }: HostStart, start: BackgroundStart): StartedHost {
  const { platform, hasSandbox, env, self } = start;
  const args = ['--no-page', `--data-dir=${dataDir}`];
  if (engineUrl !== null) args.push(`--engine-url=${engineUrl}`);
  if (lacksDisplay(platform, env)) args.push('--ozone-platform=headless');
  if (!hasSandbox) args.push('--no-sandbox');
  let failure: AndironError | undefined;
  const child = spawn(ownAppImage(self.env, self.execPath) ?? self.execPath, args, {
    // It may outlive this terminal, and a Ctrl-C there is not meant for it.
    detached: true,
    windowsHide: true,
    stdio: 'ignore',
    env,
  });
  const ended = (): void => {
    failure = new AndironError(
      'internal',
      'Andiron ended while it started.',
      'The log in its data folder has the details.',
    );
  };
  child.on('error', ended);
  child.on('exit', ended);
  child.unref();
  return { failure: () => failure, leave: () => Promise.resolve() };
}
