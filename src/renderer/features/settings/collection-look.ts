/** How a collection is told: its state, where it lies, and the name that is offered for a new one. */
import type { Collection, CollectionPlace } from '../../../protocol/collection-methods.ts';
import type { IconName } from '../../components/icon.tsx';
import type { Tone } from '../../components/state-mark.tsx';
import { collectionsPane as text } from '../../text.ts';

interface Look {
  icon: IconName;
  tone: Tone;
  words: string;
}

export function collectionLook(collection: Collection): Look {
  switch (collection.state) {
    case 'reading':
      return { icon: 'running', tone: 'run', words: text.states.reading(collection) };
    case 'ready':
      return { icon: 'done', tone: 'ok', words: text.states.ready(collection) };
    case 'gone': {
      const { noFolder, noFiles } = text.states;
      const words = collection.place.folder === null ? noFiles : noFolder;
      return { icon: 'alert', tone: 'warn', words };
    }
    case 'empty':
    case 'unlisted':
      return { icon: 'alert', tone: 'warn', words: text.states[collection.state] };
  }
}

/** Nothing of it is found now. */
export const isAway = (state: Collection['state']): boolean => state !== 'reading' && state !== 'ready';

/** How its passages are found; '' = none can be. */
export function meaningWords(
  { passages, withMeaning, state }: Pick<Collection, 'passages' | 'withMeaning' | 'state'>,
  hasModel: boolean,
): string {
  if (passages === 0 || isAway(state)) return '';
  if (!hasModel) return text.byWords;
  return withMeaning < passages ? text.bySome(withMeaning, passages) : text.byBoth;
}

export function placeWords({ folder, files }: CollectionPlace): string {
  return folder ?? text.place(files[0] ?? '', Math.max(0, files.length - 1));
}

/** Of either kind of system. */
const partsOf = (path: string): string[] => path.split(/[\\/]/).filter((part) => part !== '');

/** What a collection may be called, in characters. */
export const maxName = 60;

/** As its place is called, with a number where another collection is called so; '' = the place has no name. */
export function suggestedName(place: CollectionPlace, taken: readonly string[]): string {
  const name = placeName(place);
  const isTaken = (wanted: string): boolean =>
    taken.some((each) => each.toLowerCase() === wanted.toLowerCase());
  if (name === '' || !isTaken(name)) return name;
  for (let nth = 2; ; nth += 1) {
    const numbered = `${name.slice(0, maxName - 4)} ${String(nth)}`;
    if (!isTaken(numbered)) return numbered;
  }
}

/** That of the folder, of the one file without its ending, or of the folder of the first. */
function placeName({ folder, files }: CollectionPlace): string {
  const [first = ''] = files;
  const parts = partsOf(folder ?? first);
  const last = parts.at(-1) ?? '';
  if (folder !== null) return last.slice(0, maxName);
  return (files.length > 1 ? (parts.at(-2) ?? last) : last.replace(/\.[^.]+$/u, '')).slice(0, maxName);
}

/** As typed, one per line; file managers put quotes around a path that they copy. */
export function pathsIn(typed: string): string[] {
  const lines = typed.split('\n').map((line) =>
    line
      .trim()
      .replace(/^(["'])(.*)\1$/u, '$2')
      .trim(),
  );
  return [...new Set(lines.filter((line) => line !== ''))];
}
