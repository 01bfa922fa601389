/** What a model is asked in its exam: small tasks whose right first call is beyond doubt. The folder exists in words only. */
import type { ToolSchema } from '../../tools/tool.ts';

export interface Question {
  text: string;
  /** Any of these is a right first call. */
  right: readonly Expected[];
  /** So is a call of these, though nobody is asked who has no other tool for it. */
  alsoRight?: ReadonlySet<string>;
}

interface Expected {
  tool: string;
  /** Each of these stands in the argument of that name; an argument that is left out counts as ''. */
  args: Readonly<Record<string, string>>;
}

/** What a grammar for a small model may name. */
export const entries: readonly string[] = [
  'README.md',
  'package.json',
  'data/',
  'data/books.csv',
  'notes/',
  'notes/ideas.md',
  'src/',
  'src/ledger.js',
  'src/main.js',
];

export const questions: readonly Question[] = [
  ask('Read the file README.md.', 'read_file', { path: 'README.md' }),
  ask('List the files in the folder src.', 'list_files', { path: 'src' }),
  ask('Search the files for the word "overdue".', 'search', { pattern: 'overdue' }),
  ask('Run the command "node --version".', 'run_command', { command: 'node --version' }),
  ask('Create the file hello.txt with the text "Good morning".', 'write_file', {
    path: 'hello.txt',
    content: 'Good morning',
  }),
  ask('Show me what is in package.json.', 'read_file', { path: 'package.json' }),
  ask('Read the first 20 lines of src/ledger.js.', 'read_file', { path: 'src/ledger.js' }),
  ask('Run the command "npm test" and tell me whether it passes.', 'run_command', { command: 'npm test' }),
  ask('Look in the folder notes: which files are there?', 'list_files', { path: 'notes' }),
  ask('Search for "TODO" in the folder src.', 'search', { pattern: 'TODO' }),
  ask('What does the file notes/ideas.md say?', 'read_file', { path: 'notes/ideas.md' }),
  {
    text: 'In src/main.js replace "thirty" with "forty".',
    // Looking at a file before it is changed is as right as changing it at once.
    right: [
      { tool: 'edit_file', args: { path: 'src/main.js', old_text: 'thirty', new_text: 'forty' } },
      { tool: 'read_file', args: { path: 'src/main.js' } },
      { tool: 'search', args: { pattern: 'thirty' } },
    ],
  },
];

/** For a profile with hardly a tool for a folder: what nobody can answer without a look outside. */
export const questionsOutside: readonly Question[] = [
  askOutside('What is the weather like in Oslo right now?'),
  askOutside('How many euros does one get for 20 dollars today?'),
  askOutside('Which films are shown in Porto this evening?'),
  ask('What does the page https://example.com/news say?', 'fetch_url', { url: 'example.com/news' }),
  ask('Fetch https://example.org/rules.html.', 'fetch_url', { url: 'example.org/rules.html' }),
  ask('Sum up https://example.net/report for me.', 'fetch_url', { url: 'example.net/report' }),
  ask('What do my documents say about the warranty?', 'search_collections', {}),
  ask('Look up "parking" in my documents.', 'search_collections', {}),
  ask('Which of my documents speak of Lisbon?', 'search_collections', {}),
];

/** So many tell whether a model is good at calls. */
export const questionsThatTell = 3;

/** With words of the model's own choice. A page that it knows the address of, or a command that fetches one, will do. */
function askOutside(text: string): Question {
  return {
    text,
    right: [
      { tool: 'tool_search', args: {} },
      { tool: 'web_search', args: {} },
    ],
    alsoRight: new Set(['fetch_url', 'run_command']),
  };
}

function ask(text: string, tool: string, args: Expected['args']): Question {
  return { text, right: [{ tool, args }] };
}

export const isInFolder = (asked: string): boolean => questions.some(({ text }) => text === asked);

/** Those that these tools can do: of the folder, and of what is outside only where too few are left. */
export function answerable(tools: readonly { name: string; schema: ToolSchema }[]): Question[] {
  const names = new Set(tools.map(({ name }) => name));
  const isAnswerable = ({ right }: Question): boolean => right.some(({ tool }) => names.has(tool));
  const inFolder = questions.filter(isAnswerable);
  if (inFolder.length >= questionsThatTell) return inFolder;
  return [...inFolder, ...questionsOutside.filter(isAnswerable)];
}

export function isRight(
  { right, alsoRight }: Question,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): boolean {
  if (alsoRight?.has(tool)) return true;
  return right.some(
    (expected) =>
      expected.tool === tool &&
      Object.entries(expected.args).every(([name, wanted]) => textOf(args[name]).includes(wanted)),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Two tokens or so each, in an order that no prompt before had: nothing of it can be in the engine's cache. */
export function unreadText(words: number, seed: number): string {
  let state = seed;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32);
  return Array.from({ length: words }, () => stock[Math.floor((next() / 2 ** 32) * stock.length)]).join(' ');
}

const stock =
  'river lantern copper window garden quiet seven market paper signal harbour orange winter ladder music stone'.split(
    ' ',
  );
