/** The release that is set up, which of its files this machine takes, and what each of them must be. */
import { recommendedVersion } from '../supervision/ollama-version.ts';

/** Where the releases of the GitHub repository ollama/ollama are, by tag. */
export const releasesUrl = 'https://github.com/ollama/ollama/releases/download';

/**
 * SHA-256 of the archives of `recommendedVersion`, by file name. They are kept here, because a server that hands out
 * another archive hands out its checksum as well. An archive that is not listed is never set up: add it together with
 * its checksum, and change all of them with the version.
 */
export const releaseChecksums: Readonly<Record<string, string>> = {
  'ollama-linux-amd64.tar.zst': '726bee78706c281b0eeef00746efe51a044d71c592c3f0b195820707f31fdf04',
  'ollama-linux-arm64.tar.zst': '92b3ef3d5e10f5849273bfa1345000f2a8ce8bc834e95061ff5b9df5d08e3c3f',
  'ollama-darwin.tgz': 'e888b7637291ceb80b622c00ea067f62c86d9c50d419b3eb903032e4f1f8a4f6',
  'ollama-windows-amd64.zip': 'e29ad1d5063dd4b54b2492d9b00adab2cff9621bfa654b6c92aa8d6f1fdfe7fc',
};

export type ArchiveFormat = 'tar.zst' | 'tgz' | 'zip';

export interface Release {
  version: string;
  /** The archive's file name. */
  asset: string;
  format: ArchiveFormat;
  url: string;
}

export interface Place {
  platform: NodeJS.Platform;
  arch: string;
}

/** null = nothing is published for this machine. */
export function releaseFor({ platform, arch }: Place, baseUrl: string): Release | null {
  const cpu = { x64: 'amd64', arm64: 'arm64' }[arch];
  const found = archiveFor(platform, cpu);
  if (!found || cpu === undefined) return null;
  const folder = `${baseUrl}/v${recommendedVersion}`;
  const asset = `${found.stem}.${found.format}`;
  return { version: recommendedVersion, asset, format: found.format, url: `${folder}/${asset}` };
}

function archiveFor(
  platform: string,
  cpu: string | undefined,
): { stem: string; format: ArchiveFormat } | null {
  if (platform === 'linux') return { stem: `ollama-linux-${String(cpu)}`, format: 'tar.zst' };
  if (platform === 'darwin') return { stem: 'ollama-darwin', format: 'tgz' };
  if (platform === 'win32') return { stem: `ollama-windows-${String(cpu)}`, format: 'zip' };
  return null;
}
