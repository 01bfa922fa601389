/**
 * Shell patterns for paths. A model writes them, so the time they take must not depend on how they are written: all
 * ways to match are followed at once, one character after the other, and braces are never multiplied out. picomatch makes
 * a regular expression of them, which twelve `*a` keep busy for more than three seconds on one long name.
 */

/** One step of a pattern: what may stand at this place. */
type Part =
  | { kind: 'one'; takes: (character: string) => boolean }
  /** `*` */
  | { kind: 'any' }
  /** `**` at the end. */
  | { kind: 'rest' }
  /** `**` before `/`: any number of folders. */
  | { kind: 'folders' }
  | { kind: 'choice'; options: Part[][] };

interface Pattern {
  text: readonly string[];
  /** Where a choice in braces begins → its commas and its end. */
  choices: ReadonlyMap<number, number[]>;
}

type State =
  | { kind: 'end' }
  | { kind: 'fork'; to: State[] }
  | { kind: 'take'; takes: (character: string) => boolean; next: State };

/** `*`, `?`, `[a-z]`, `[!a]`, `{a,b}`, `\` before any of them, and `**` for any number of folders. Dots are like other letters. */
export function globMatcher(pattern: string): (path: string) => boolean {
  const text = Array.from(pattern);
  const parts = parse({ text, choices: findChoices(text) }, 0, text.length);
  const steps = createSteps(build(parts, { kind: 'end' }));
  return (path) => {
    let step = steps.start();
    for (const character of path) {
      step = steps.after(step, character);
      if (step.live.length === 0) return false;
    }
    return step.matches;
  };
}

/** All places in the pattern where one may be after some characters. */
interface Step {
  live: State[];
  matches: boolean;
  /** Where a character leads from here, as far as it was asked. */
  next: Map<string, Step>;
}

const maxRemembered = 10_000;

/** Steps that were found are kept, because paths are alike; a pattern with very many of them begins anew at times. */
function createSteps(first: State) {
  const known = new Map<string, Step>();
  const numbers = new Map<State, number>();
  let remembered = 0;

  const numberOf = (state: State): number => {
    const number = numbers.get(state) ?? numbers.size;
    numbers.set(state, number);
    return number;
  };
  const stepOf = (states: readonly State[]): Step => {
    const live = reachable(states);
    const key = live
      .map(numberOf)
      .toSorted((a, b) => a - b)
      .join();
    const step = known.get(key) ?? {
      live,
      matches: live.some(({ kind }) => kind === 'end'),
      next: new Map(),
    };
    known.set(key, step);
    return step;
  };
  let start = stepOf([first]);

  return {
    start(): Step {
      if (remembered > maxRemembered) {
        known.clear();
        remembered = 0;
        start = stepOf([first]);
      }
      return start;
    },
    after(step: Step, character: string): Step {
      const found = step.next.get(character);
      if (found) return found;
      const next = stepOf(step.live.flatMap((state) => (canTake(state, character) ? [state.next] : [])));
      step.next.set(character, next);
      remembered += 1;
      return next;
    },
  };
}

const canTake = (state: State, character: string): state is Extract<State, { kind: 'take' }> =>
  state.kind === 'take' && state.takes(character);

/** Each state once, however many ways lead to it; forks themselves are left out. */
function reachable(states: readonly State[]): State[] {
  const seen = new Set<State>();
  const open = [...states];
  for (let state = open.pop(); state; state = open.pop()) {
    if (seen.has(state)) continue;
    seen.add(state);
    if (state.kind === 'fork') open.push(...state.to);
  }
  return [...seen].filter(({ kind }) => kind !== 'fork');
}

function build(parts: readonly Part[], next: State): State {
  return parts.reduceRight((after, part) => buildPart(part, after), next);
}

function buildPart(part: Part, after: State): State {
  switch (part.kind) {
    case 'one':
      return { kind: 'take', takes: part.takes, next: after };
    case 'any':
      return repeat(inName, after);
    case 'rest':
      return repeat(anything, after);
    case 'folders':
      return { kind: 'fork', to: [after, repeat(anything, { kind: 'take', takes: isSlash, next: after })] };
    case 'choice':
      return { kind: 'fork', to: part.options.map((option) => build(option, after)) };
  }
}

function repeat(takes: (character: string) => boolean, after: State): State {
  const fork: State = { kind: 'fork', to: [after] };
  fork.to.push({ kind: 'take', takes, next: fork });
  return fork;
}

const anything = (): boolean => true;
const isSlash = (character: string): boolean => character === '/';
const inName = (character: string): boolean => character !== '/';
const literally = (wanted: string): Part => ({ kind: 'one', takes: (character) => character === wanted });

interface Read {
  part: Part;
  /** Where the next part begins. */
  end: number;
}

function parse({ text, choices }: Pattern, from: number, to: number): Part[] {
  const parts: Part[] = [];
  for (let at = from; at < to;) {
    const { part, end } = parsePart({ text, choices }, at);
    parts.push(part);
    at = end;
  }
  return parts;
}

function parsePart(pattern: Pattern, at: number): Read {
  const { text } = pattern;
  const character = text[at] ?? '';
  switch (character) {
    case '\\':
      return { part: literally(text[at + 1] ?? '\\'), end: at + 2 };
    case '?':
      return { part: { kind: 'one', takes: inName }, end: at + 1 };
    case '*':
      return parseStars(text, at);
    case '[':
      return parseClass(text, at) ?? { part: literally('['), end: at + 1 };
    case '{':
      return parseChoice(pattern, at) ?? { part: literally('{'), end: at + 1 };
    default:
      return { part: literally(character), end: at + 1 };
  }
}

/** `**` means folders only where it is a whole name; elsewhere it is one star. */
function parseStars(text: readonly string[], at: number): Read {
  let end = at;
  while (text[end] === '*') end += 1;
  const startsName = at === 0 || '/{,'.includes(text[at - 1] ?? '');
  if (end - at >= 2 && startsName) {
    if (text[end] === '/') return { part: { kind: 'folders' }, end: end + 1 };
    if (end === text.length) return { part: { kind: 'rest' }, end };
  }
  return { part: { kind: 'any' }, end };
}

/** `[abc]`, `[a-z]`, `[!a]`; null = the bracket stands for itself. */
function parseClass(text: readonly string[], at: number): Read | null {
  const negated = text[at + 1] === '!' || text[at + 1] === '^';
  const first = at + (negated ? 2 : 1);
  const close = text.indexOf(']', first + 1);
  if (close === -1) return null;
  const ranges: [first: string, last: string][] = [];
  for (let member = first; member < close; member += 1) {
    const isRange = text[member + 1] === '-' && member + 2 < close;
    ranges.push([text[member] ?? '', text[isRange ? member + 2 : member] ?? '']);
    if (isRange) member += 2;
  }
  const isMember = (character: string): boolean =>
    ranges.some(([first, last]) => character >= first && character <= last);
  const takes = (character: string): boolean => inName(character) && isMember(character) !== negated;
  return { part: { kind: 'one', takes }, end: close + 1 };
}

/** null = the brace stands for itself. */
function parseChoice(pattern: Pattern, at: number): Read | null {
  const [first, ...others] = pattern.choices.get(at) ?? [];
  if (first === undefined) return null;
  const options: Part[][] = [];
  let from = at + 1;
  for (const to of [first, ...others]) {
    options.push(parse(pattern, from, to));
    from = to + 1;
  }
  return { part: { kind: 'choice', options }, end: from };
}

/** Each `{` that is closed and offers a choice, with its commas and its `}`. */
function findChoices(text: readonly string[]): Map<number, number[]> {
  const choices = new Map<number, number[]>();
  const open: { at: number; marks: number[] }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') open.push({ at, marks: [] });
    else if (character === ',') open.at(-1)?.marks.push(at);
    else if (character === '}') {
      const closed = open.pop();
      if (closed && closed.marks.length > 0) choices.set(closed.at, [...closed.marks, at]);
    }
  }
  return choices;
}
