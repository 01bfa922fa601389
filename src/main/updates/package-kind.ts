/** How this copy of Andiron was installed, and so who replaces it. */
import { posix } from 'node:path';

export type PackageKind = 'app-image' | 'deb' | 'nsis' | 'mac';

export interface PackagePlace {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  execPath: string;
  /** What electron-builder wrote into `resources/package-type`; null = nothing. */
  packageType: string | null;
}

/** null = by hand, or in a way that has its own updates. */
export function packageKind({ platform, env, execPath, packageType }: PackagePlace): PackageKind | null {
  if (platform === 'win32') return 'nsis';
  if (platform === 'darwin') return 'mac';
  if (platform !== 'linux') return null;
  if (packageType !== null) return packageType === 'deb' ? 'deb' : null;
  // The variables are inherited: in the terminal of another AppImage they name that one, which must not be replaced.
  const { APPIMAGE: file, APPDIR: mount } = env;
  if (!file || !mount || !posix.isAbsolute(file)) return null;
  return execPath.startsWith(posix.join(mount, '/')) ? 'app-image' : null;
}

/** What is done about a downloaded update while Andiron ends. */
export function installsOnQuit(kind: PackageKind, restartWanted: boolean, exitCode: number): boolean {
  if (exitCode !== 0) return false;
  // macOS does it without us.
  if (kind === 'mac') return false;
  // Its installer asks for the password of an administrator, which nobody expects from quitting.
  return kind !== 'deb' || restartWanted;
}
