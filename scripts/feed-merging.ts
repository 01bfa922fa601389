/** Brings the artefacts of all builds into one folder. Both Macs, and both Windows, share the name of their feed. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface FeedFile {
  url: string;
  sha512: string;
  size: number;
}
interface Feed {
  version: string;
  files: FeedFile[];
  path: string;
  sha512: string;
  releaseDate: string;
}

/** What electron-updater itself reads feeds with, so both agree on the YAML. */
const yaml = createRequire(createRequire(import.meta.url).resolve('electron-updater'))('js-yaml') as {
  load(text: string): unknown;
  dump(value: unknown, options: { lineWidth: number }): string;
};

/**
 * One feed of several builds of the same version. Throws where they differ in it, or name one file twice with another
 * content.
 */
export function mergeFeeds(texts: readonly string[]): string {
  const feeds = texts.map((text) => yaml.load(text) as Feed);
  const [first, ...others] = feeds;
  if (!first) throw new Error('There is no feed to merge.');
  const files = new Map(first.files.map((file) => [file.url, file]));
  for (const feed of others) {
    if (feed.version !== first.version) {
      throw new Error(`The feeds are of two versions: ${first.version} and ${feed.version}.`);
    }
    for (const file of feed.files) {
      const known = files.get(file.url);
      if (known && known.sha512 !== file.sha512) throw new Error(`Two builds made ${file.url} differently.`);
      files.set(file.url, file);
    }
  }
  const releaseDate = feeds
    .map((feed) => feed.releaseDate)
    .toSorted()
    .at(-1);
  return yaml.dump({ ...first, files: [...files.values()], releaseDate }, { lineWidth: 8000 });
}

/**
 * Copies the files of every folder below `from` into `to`; feeds of one name become one. Throws when two other files
 * have one name, or a feed names a file that is not there.
 */
export function gatherRelease(from: string, to: string): string[] {
  const feeds = new Map<string, string[]>();
  const taken = new Set<string>();
  mkdirSync(to, { recursive: true });
  for (const folder of readdirSync(from).toSorted()) {
    for (const name of readdirSync(join(from, folder))) {
      const path = join(from, folder, name);
      if (name.endsWith('.yml')) {
        feeds.set(name, [...(feeds.get(name) ?? []), readFileSync(path, 'utf8')]);
        continue;
      }
      if (taken.has(name)) throw new Error(`Two builds made a file named ${name}.`);
      taken.add(name);
      copyFileSync(path, join(to, name));
    }
  }
  for (const [name, texts] of feeds) {
    const merged = mergeFeeds(texts);
    const missing = (yaml.load(merged) as Feed).files.find(({ url }) => !taken.has(url));
    if (missing) throw new Error(`${name} names ${missing.url}, which no build made.`);
    writeFileSync(join(to, name), merged);
  }
  return [...taken, ...feeds.keys()].toSorted();
}
