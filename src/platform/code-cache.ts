/** Compiled code of the agent host, kept between its starts: compiling is the longest part of one. */
import { join } from 'node:path';
import { makePrivateFolder } from './private-data.ts';

/**
 * What a Node is started with so that it keeps what it compiled in the data folder. It checks each entry against the
 * source and compiles where one is missing or broken, so nothing depends on the folder: where it cannot be made, nothing
 * is kept.
 */
export function codeCacheVariables(dataDir: string): Record<string, string> {
  const folder = join(dataDir, 'andiron.code-cache');
  try {
    makePrivateFolder(folder);
    return { NODE_COMPILE_CACHE: folder };
  } catch {
    return {};
  }
}
