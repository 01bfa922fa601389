/** Where the search program is. Its package throws when it is imported on a machine that has no build of it. */
import { existsSync } from 'node:fs';

/** null = it is not in this installation: searching is then refused in words, and all else works. */
export async function findRipgrep(
  load: () => Promise<{ rgPath: string }> = () => import('@vscode/ripgrep'),
  exists: (path: string) => boolean = existsSync,
): Promise<string | null> {
  try {
    const { rgPath } = await load();
    // Inside an asar archive nothing can be executed: the binary lies beside it.
    const path = rgPath.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
    return exists(path) ? path : null;
  } catch {
    return null;
  }
}
