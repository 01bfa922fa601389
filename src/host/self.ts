/** What this process is: for the settings' About and for reports of faults. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { parseJson } from '../protocol/json.ts';
import type { SearchPath } from '../protocol/person-methods.ts';
import type { HostSelf } from './index.ts';

/** @param manifest address of Andiron's `package.json`, which is packed beside the built files */
export function describeSelf(
  manifest: URL,
  searchPath: SearchPath = { source: 'inherited', shell: null, reason: null },
): HostSelf {
  const { node, electron = null, chrome = null } = process.versions as Partial<Record<string, string>>;
  return {
    version: readVersion(manifest),
    homeDir: homedir(),
    arch: process.arch,
    searchPath,
    runtimes: { node: node ?? process.version, electron, chromium: chrome },
  };
}

function readVersion(manifest: URL): string | null {
  try {
    const content: unknown = parseJson(readFileSync(manifest, 'utf8'));
    const { version } = content as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}
