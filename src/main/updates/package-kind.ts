/** How this copy of Andiron was installed, and so who replaces it. */
import { ownAppImage } from '../../platform/app-dir.ts';
import { UpdateFailure } from './failure.ts';

export type PackageKind = 'app-image' | 'deb' | 'nsis' | 'mac';

export interface PackagePlace {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  execPath: string;
  /** What the build wrote into `resources/package-type`; null = nothing. */
  packageType: string | null;
  /** Was Andiron started with options of its own? */
  hasOptions: boolean;
  exists: (path: string) => boolean;
}

/** Throws UpdateFailure where nothing can be replaced, with the reason. */
export function packageKind(place: PackagePlace): PackageKind {
  const kind = installedAs(place);
  if (kind === null) throw new UpdateFailure('not-installed');
  if (kind === 'mac' && place.packageType === 'ad-hoc') throw new UpdateFailure('not-signed');
  // There the system starts the new version, and hands no options on: it would open another data folder.
  if ((kind === 'mac' || kind === 'nsis') && place.hasOptions) throw new UpdateFailure('with-options');
  return kind;
}

/** null = by hand, or in a way that has its own updates. */
function installedAs({ platform, env, execPath, packageType, exists }: PackagePlace): PackageKind | null {
  if (platform === 'win32') {
    // The installer puts it beside the program; a copied or unpacked folder has none.
    return exists(execPath.replace(/[^\\/]*$/, 'Uninstall $&')) ? 'nsis' : null;
  }
  // macOS runs what was not moved out of its download from a place that nobody may write to.
  if (platform === 'darwin') return execPath.includes('/AppTranslocation/') ? null : 'mac';
  if (platform !== 'linux') return null;
  // The file comes second: both packages are made from one folder, so an AppImage has the file of the deb.
  if (ownAppImage(env, execPath) !== null) return 'app-image';
  // Where the deb puts it: the folder of a build or of an unpacked AppImage has the file too.
  return packageType === 'deb' && execPath.startsWith('/opt/') ? 'deb' : null;
}

export interface Ending {
  kind: PackageKind;
  /** "Restart to update", and no other end of the app. */
  restartWanted: boolean;
  exitCode: number;
  /** The machine goes down or the person logs out: an installer would be ended halfway. */
  systemEnds: boolean;
}

/** What is done about a downloaded update while Andiron ends. */
export function installsOnQuit({ kind, restartWanted, exitCode, systemEnds }: Ending): boolean {
  if (exitCode !== 0 || systemEnds) return false;
  // macOS does it without us.
  if (kind === 'mac') return false;
  return restartWanted || !needsRestart(kind);
}

/**
 * Is it installed only where a person asked for it? The installer of the deb wants the password of an administrator, and
 * that of Windows ends every Andiron of this installation, also one on another data folder in the middle of a turn.
 */
export const needsRestart = (kind: PackageKind): boolean => kind === 'deb' || kind === 'nsis';
