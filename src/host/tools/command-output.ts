/** What a command prints, for the model (its beginning and its end) and for the card (as it comes). Untrusted text. */
import { resultCap, truncationMark } from './tool.ts';

/** For what is said of the command around its streams: how it ended, why it was ended, what it left behind. */
const wordsCap = 400;
/** Characters of one stream that the model reads: half the result (R), less those words. */
export const streamCap = (resultCap - wordsCap) / 2;
/** Errors stand at the end, so most of what is kept is the end. */
const headCap = 1_200;

/** Never holds more than a few times the cap. */
export function createStreamText() {
  let head = '';
  let tail = '';
  let dropped = false;
  return {
    add(text: string): void {
      const room = streamCap * 2 - head.length;
      head += text.slice(0, room);
      tail += text.slice(room);
      if (tail.length > streamCap * 4) {
        tail = tail.slice(-streamCap * 2);
        dropped = true;
      }
    },
    /** Something is not in `text()`. */
    isCut: (): boolean => dropped || plain(head + tail).length > streamCap,
    /** What is left without colours and overdrawn lines; of much text the beginning and the end. */
    text(): string {
      const gap = `${truncationMark}\n`;
      const all = dropped ? plain(head) + gap + plain(tail) : plain(head + tail);
      if (all.length <= streamCap) return all;
      return all.slice(0, headCap) + gap + all.slice(headCap + gap.length - streamCap);
    },
  };
}

function plain(text: string): string {
  const lines = withoutSequences(text).replaceAll('\r\n', '\n').split('\n');
  return withoutControls(lines.map(lastDrawn).join('\n'));
}

/** Of a line that is drawn again and again, such as a progress bar, the last state. */
const lastDrawn = (line: string): string => line.slice(line.lastIndexOf('\r', line.length - 2) + 1);

// Control sequences (colours, cursor), control strings (titles, links) and other escapes, as ECMA-48 5 writes them. No
// part can match in two ways, so no output takes long.
const controlSequence = '(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]';
const stringStart = '(?:\\u001B[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])[^\\u0007\\u001B\\u009C]*';
const controlString = `${stringStart}(?:\\u0007|\\u001B\\\\|\\u009C)`;
const sequences = new RegExp(`${controlSequence}|${controlString}|\\u001B[ -/]*[0-~]`, 'g');
/** What begins at the end of a piece and may go on in the next one. */
const openSequence = new RegExp(`(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*$|${stringStart}\\u001B?$|\\u001B[ -/]*$`);

const withoutSequences = (text: string): string => text.replaceAll(sequences, '');

const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '');

const escape = '\\u001B';
const colour = `(?:${escape}\\[|\\u009B)[\\d;:]*m`;
const colours = new RegExp(`${escape}\\[[\\d;:]*m`, 'g');
// One pattern and no function to ask: a flood of sequences would call it millions of times.
const uncoloured = new RegExp(`(?!${colour})(?:${sequences.source}|[^\\P{Cc}\\n\\t\\r])`, 'gu');

/** For the person: colours stay, and \r where a line is drawn again; nothing else of what a terminal obeys. */
function coloured(text: string): string {
  // What is left of one byte begins a colour.
  const kept = text.replaceAll(uncoloured, '').replaceAll('\u009B', '\u001B[').replaceAll('\r\n', '\n');
  return kept.includes('\r') ? kept.split('\n').map(lastState).join('\n') : kept;
}

/** Of a line that is drawn many times in one piece the last state, with the colours set before it. */
function lastState(line: string, place: number): string {
  const start = line.lastIndexOf('\r') + 1;
  if (start === 0) return line;
  const before = (line.slice(0, start).match(colours) ?? []).join('');
  // The first line may go on where the last piece ended: \r says that this is drawn over.
  return (place === 0 ? '\r' : '') + before + line.slice(start);
}

/** Live text for the card, capped. What is cut between two pieces is held back until it is whole. */
export function createLiveText(limit: number, write: (text: string) => void): (text: string) => void {
  let held = '';
  let left = limit;
  return (text) => {
    if (left <= 0) return;
    const all = held + text;
    const end = all.length - openEnd(all);
    held = all.slice(end);
    const ready = coloured(all.slice(0, end));
    if (ready === '') return;
    write(ready.length > left ? cutAt(ready, left) + truncationMark : ready);
    left -= ready.length;
  };
}

/** Not within a sequence, and what follows has no colour of it. */
function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  const whole = cut.slice(0, cut.length - openEnd(cut));
  return whole.includes('\u001B') ? `${whole}\u001B[0m` : whole;
}

/** A sequence that is longer is none. */
const maxSequenceLength = 2_000;

/** How many characters at the end may belong to something that goes on: a control sequence, or \r before its \n. */
function openEnd(text: string): number {
  if (text.endsWith('\r')) return 1;
  const end = text.slice(-maxSequenceLength);
  const start = end.search(openSequence);
  return start === -1 ? 0 : end.length - start;
}

/** All that a stream prints, in its colours, for the person. Filtered as it comes, so its end costs nothing more. */
export function createWholeText(limit: number): { add(text: string): void; text(): string } {
  const pieces: string[] = [];
  return {
    add: createLiveText(limit, (piece) => void pieces.push(piece)),
    text: () => pieces.join('').trim(),
  };
}
