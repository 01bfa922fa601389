/** `node scripts/merge-feeds.mjs FROM TO`: gathers the artefacts of all builds, one folder each, into one folder. */
import { gatherRelease } from './feed-merging.ts';

const [from, to] = process.argv.slice(2);
try {
  if (!from || !to) throw new Error('Name two folders: node scripts/merge-feeds.mjs FROM TO');
  for (const name of gatherRelease(from, to)) console.log(name);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
