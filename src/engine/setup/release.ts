/** The release that is set up, and which of its files this machine takes (models.md, last paragraph). */
import { recommendedVersion } from '../supervision/versions.ts';

/** Where the releases of the GitHub repository ollama/ollama are, by tag. */
export const releasesUrl = 'https://github.com/ollama/ollama/releases/download';

export type ArchiveFormat = 'tar.zst' | 'tgz' | 'zip';

export interface Release {
  version: string;
  /** The archive's file name. */
  asset: string;
  format: ArchiveFormat;
  url: string;
  checksumsUrl: string;
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
  return {
    version: recommendedVersion,
    asset,
    format: found.format,
    url: `${folder}/${asset}`,
    checksumsUrl: `${folder}/sha256sum.txt`,
  };
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

/** SHA-256 in lower case from a `sha256sum` listing; null = the file is not in it. */
export function checksumOf(listing: string, asset: string): string | null {
  for (const line of listing.split(/\r?\n/)) {
    const match = /^(?<sum>[0-9a-f]{64})\s+\*?(?:\.\/)?(?<name>\S+)$/i.exec(line.trim());
    if (match?.groups?.['name'] === asset) return match.groups['sum']?.toLowerCase() ?? null;
  }
  return null;
}
