/**
 * The conversation that every probe is cut from. Texts, names and key order are part of the measurement: they are those of
 * the recorded renders, so that a record makes the same card as a live engine.
 */

export interface ProbeCall {
  id?: string;
  type: 'function';
  function: { name: string; arguments: Record<string, unknown> };
}

/** A message as `/api/chat` takes it. */
export interface ProbeMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  thinking?: string;
  tool_calls?: ProbeCall[];
  tool_call_id?: string;
  tool_name?: string;
}

export interface ProbeTool {
  type: 'function';
  function: { name: string; description: string; parameters: object };
}

const systemText = `You are Helper, a careful assistant working in a person's workspace on their own machine.
Work in small steps: look first, then act, then check what happened.
Use the tools for anything about files; never guess the content of a file.
Say plainly when something failed and what you tried.
Lines that start with the marker [[helper]] come from the program, not from the person.
---
Profile: coding. Prefer small edits. Run the tests before you say that you are done.`;

const task = `Workspace: /home/ada/shop (git, branch main, 42 files, Node 20).
Memory: Ada likes short answers. The limit lives in one place only.

Task: orders above 10 items are refused. Raise the limit to 25 and tell me where it was.`;

const question = 'Thanks! Does a test cover it?\n[[helper]] turn 2: new file notes.md since the last turn.';

const system = (content: string): ProbeMessage => ({ role: 'system', content });
const user = (content: string): ProbeMessage => ({ role: 'user', content });
const assistant = (content: string, thinking?: string, ...calls: ProbeCall[]): ProbeMessage => ({
  role: 'assistant',
  content,
  ...(thinking !== undefined && { thinking }),
  ...(calls.length > 0 && { tool_calls: calls }),
});
const call = (id: string, name: string, args: Record<string, unknown>): ProbeCall => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const result = (id: string, name: string, content: string): ProbeMessage => ({
  role: 'tool',
  content,
  tool_call_id: id,
  tool_name: name,
});

const search = call('call_aaaaaaa1', 'search_text', {
  query: 'maxItems',
  options: { limit: 5, case: true },
});
const read = call('call_aaaaaaa2', 'read_file', { path: 'src/order.js', from_line: 1 });
const edit = call('call_bbbbbbb1', 'apply_edits', {
  path: 'src/order.js',
  edits: [{ old: 'const maxItems = 10', new: 'const maxItems = 25' }],
});

const lookText = 'I will look for the limit first.';
const lookThinking =
  'The person wants the limit raised. I should find where it is defined.\nTwo look-ups can go together.';

const opening = [system(systemText), user(task)];
const searchResult = result(
  'call_aaaaaaa1',
  'search_text',
  "src/order.js:3: const maxItems = 10\nsrc/order.js:9: if (items.length > maxItems) throw new Error('too many')",
);
const readResult = result(
  'call_aaaaaaa2',
  'read_file',
  "1: import { db } from './db.js'\n2:\n3: const maxItems = 10\n[[helper]] turn 1 step 1: 9 steps left.",
);
const editStep = [
  assistant('', 'It is one constant in src/order.js. Replace it.', edit),
  result('call_bbbbbbb1', 'apply_edits', '1 replacement made.'),
];
const answer = assistant(
  'Done: the limit was in `src/order.js`, line 3, and is now 25.',
  'The edit worked. Answer briefly.',
);

/** Two calls beside a text, a call without one, an answer, the next question. */
const mainLog = [
  ...opening,
  assistant(lookText, lookThinking, search, read),
  searchResult,
  readResult,
  ...editStep,
  answer,
  user(question),
];
/** The same with one call in every message. */
const singleLog = [
  ...opening,
  assistant(lookText, lookThinking, read),
  readResult,
  ...editStep,
  answer,
  user(question),
];
/** No tools at all. */
const chatLog = [
  ...opening,
  assistant('It is in src/order.js.', 'Only one place is likely. Say it.'),
  user(question),
  assistant('No test covers it.', 'I have seen no test.'),
  user('Then add one, please.'),
];

/** Conversations up to: the first question (`u1`), the first and second result (`t1`, `t2`), the next questions. */
export const main = {
  u1: mainLog.slice(0, 2),
  t1: mainLog.slice(0, 5),
  t2: mainLog.slice(0, 7),
  answered: mainLog.slice(0, 8),
  u2: mainLog,
};
export const single = {
  t1: singleLog.slice(0, 4),
  t2: singleLog.slice(0, 6),
  answered: singleLog.slice(0, 7),
  u2: singleLog,
};
export const chat = { u2: chatLog.slice(0, 4), u3: chatLog };

export const withoutSystem = [user(task)];
export const secondUser = user('And please be quick.');
export const interruption = user('Stop, use 30 instead.');
export const reminder = system('Reminder from the program: answer in one line.');
export const nextQuestion = user(question);
export const callWithoutText = [...opening, assistant('', lookThinking, read), readResult];

/** A call with these arguments, answered. */
export const withArguments = (args: Record<string, unknown>): ProbeMessage[] => [
  ...opening,
  assistant('', undefined, call('call_ddddddd1', 'apply_edits', args)),
  result('call_ddddddd1', 'apply_edits', 'ok'),
];

const nine = (id: string): string => `${id.slice('call_'.length)}0`;

/** The only form of call ids that every template takes: nine letters or digits. */
export function withNineCharacterIds(messages: readonly ProbeMessage[]): ProbeMessage[] {
  return messages.map((message) => ({
    ...message,
    ...(message.tool_calls && {
      tool_calls: message.tool_calls.map((each) => ({ ...each, ...(each.id && { id: nine(each.id) }) })),
    }),
    ...(message.tool_call_id && { tool_call_id: nine(message.tool_call_id) }),
  }));
}

export function without(
  messages: readonly ProbeMessage[],
  ...keys: ('tool_call_id' | 'tool_name')[]
): ProbeMessage[] {
  return messages.map((message) => {
    const rest = { ...message };
    for (const key of keys) delete rest[key];
    return rest;
  });
}

const tool = (
  name: string,
  description: string,
  properties: object,
  required?: readonly string[],
): ProbeTool => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties, ...(required && { required }) },
  },
});

export const tools: readonly ProbeTool[] = [
  tool(
    'read_file',
    'Read a text file from the workspace.',
    {
      path: { type: 'string', description: 'Path relative to the workspace root' },
      from_line: { type: 'integer', description: 'First line, counted from 1' },
      mode: { type: 'string', description: 'What to return', enum: ['text', 'outline', 'hash'] },
    },
    ['path'],
  ),
  tool(
    'search_text',
    'Search the workspace for a text.',
    {
      query: { type: 'string' },
      options: {
        type: 'object',
        description: 'How to search',
        properties: {
          case: { type: 'boolean' },
          limit: { type: 'number', description: 'At most this many hits' },
        },
      },
    },
    ['query'],
  ),
  tool(
    'apply_edits',
    'Apply exact replacements to one file.',
    {
      path: { type: 'string' },
      edits: {
        type: 'array',
        description: 'Replacements in order',
        items: {
          type: 'object',
          properties: { old: { type: 'string' }, new: { type: 'string' } },
          required: ['old', 'new'],
        },
      },
    },
    ['path', 'edits'],
  ),
  tool('list_changes', 'List the files changed in this session.', {}),
];

/** Texts by which a piece is found in a prompt, whatever stands around it and however it is escaped. */
export const landmarks = {
  system: 'You are Helper',
  tools: 'Read a text file',
  user: 'Workspace: /home',
  nextUser: 'Thanks! Does',
  text: 'I will look for',
  firstThinking: 'The person wants',
  newestThinking: 'It is one constant',
  chatThinking: 'Only one place',
  searchCall: 'maxItems',
  readCall: 'from_line',
  readPath: 'src/order.js',
  editCall: 'const maxItems = 25',
  searchResult: 'src/order.js:3:',
  readResult: '1: import',
  editResult: '1 replacement made',
  reminder: 'Reminder from the program',
} as const;
