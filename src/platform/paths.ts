/** Where Andiron keeps its data when nobody says otherwise. */
import { posix, win32 } from 'node:path';

export interface UserPlace {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  homeDir: string;
}

/** Desktop and headless use the same folder, so a session begun in one is found in the other. */
export function defaultDataDir({ platform, env, homeDir }: UserPlace): string {
  if (platform === 'win32') {
    return win32.join(env['LOCALAPPDATA'] ?? win32.join(homeDir, 'AppData', 'Local'), 'Andiron');
  }
  if (platform === 'darwin') return posix.join(homeDir, 'Library', 'Application Support', 'Andiron');
  const base = env['XDG_DATA_HOME'];
  // The XDG specification says that a relative path is to be ignored.
  const share = base !== undefined && posix.isAbsolute(base) ? base : posix.join(homeDir, '.local', 'share');
  return posix.join(share, 'andiron');
}
