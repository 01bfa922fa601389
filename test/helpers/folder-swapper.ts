/** A process that puts a link in the place of a folder and takes it away again, as fast as it can. */
import { spawn } from 'node:child_process';

const program = `
  const { renameSync, rmSync, symlinkSync, unlinkSync, existsSync } = require('node:fs');
  const [place, elsewhere] = process.argv.slice(1);
  const aside = place + '.aside';
  let going = true;
  process.stdin.on('end', () => (going = false)).resume();
  let swaps = 0;
  const swap = () => {
    renameSync(place, aside);
    symlinkSync(elsewhere, place);
    // The link is there for as long as the folder is.
    for (let m = 0; m < 20; m++) existsSync(place);
    unlinkSync(place);
    renameSync(aside, place);
    for (let m = 0; m < 20; m++) existsSync(place);
    swaps++;
  };
  /** Somebody made a folder in the place while there was none. */
  const putBack = () => {
    while (existsSync(aside)) {
      try {
        // While it is emptied somebody may put something in it again.
        rmSync(place, { recursive: true, force: true });
        renameSync(aside, place);
      } catch {}
    }
  };
  const round = () => {
    for (let n = 0; n < 50; n++) {
      try {
        swap();
      } catch {
        putBack();
      }
    }
    process.stdout.write(String(swaps) + ' ');
    if (going) setImmediate(round);
  };
  process.stdout.write('ready ');
  round();
`;

export interface FolderSwapper {
  /** So far. */
  swaps(): number;
  /** Resolves with the number of swaps; the folder is in its place again. */
  stop(): Promise<number>;
}

/** Resolves once it is at work. */
export async function startSwapper(place: string, elsewhere: string): Promise<FolderSwapper> {
  const child = spawn(process.execPath, ['-e', program, place, elsewhere], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let swaps = 0;
  const ready = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // A number that comes in two parts is too small in both.
    swaps = Math.max(swaps, ...text.split(' ').map((word) => Number(word) || 0));
    ready.resolve();
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([ready.promise, closed]);
  return {
    swaps: () => swaps,
    async stop() {
      child.stdin.end();
      await closed;
      return swaps;
    },
  };
}
