/** What the build wrote beside the page about itself (`about.json`): its commit, and whose work it contains. */
import type { PageFiles } from './page-files.ts';

export interface BuildFacts {
  /** When it was built. */
  at: number;
  /** null = built outside of the repository. */
  commit: string | null;
  packages: BuiltWith[];
}

interface BuiltWith {
  name: string;
  version: string;
  /** As SPDX names it; null = unknown. */
  licence: string | null;
  /** Its licence, whole; null = the package brings none. */
  words: string | null;
}

/** null = there are none: the page was not built as a product. */
export async function readBuild(files: PageFiles): Promise<BuildFacts | null> {
  const facts = await files.built?.('about.json').catch(() => null);
  return isFacts(facts) ? facts : null;
}

/** It comes from our own build: its outline is enough. */
function isFacts(value: unknown): value is BuildFacts {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'packages' in value &&
    Array.isArray(value.packages)
  );
}
