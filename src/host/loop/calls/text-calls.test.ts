import * as fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { growth, offered } from './testing.ts';
import { readTextCalls } from './text-calls.ts';

const read = (text: string) => readTextCalls(text, offered);
const names = (text: string) => read(text).calls.map(({ name, args }) => [name, args]);
const readA = [['read_file', { path: 'a' }]];

const marked: [what: string, text: string][] = [
  ['Hermes tags', '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'],
  ['tags without an end', '<tool_call>{"name":"read_file","arguments":{"path":"a"}}'],
  [
    'a missing bracket before the end tag',
    '<tool_call>{"name":"read_file","arguments":{"path":"a"}</tool_call>',
  ],
  ['a bracket too many', '<tool_call>{"name":"read_file","arguments":{"path":"a"}}}</tool_call>'],
  [
    'tags around a fence',
    '<tool_call>\n```json\n{"name":"read_file","arguments":{"path":"a"}}\n```\n</tool_call>',
  ],
  [
    'tags inside a fence',
    '```xml\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>\n```',
  ],
  ['Mistral', '[TOOL_CALLS][{"name":"read_file","arguments":{"path":"a"}}]'],
  ['new Mistral', '[TOOL_CALLS]read_file[ARGS]{"path":"a"}'],
  ['Llama', '<|python_tag|>{"name":"read_file","parameters":{"path":"a"}}<|eom_id|>'],
  ['Llama, Python', '<|python_tag|>[read_file(path="a")]<|eot_id|>'],
  [
    'Qwen coder',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  ],
  ['function with JSON', '<function=read_file>{"path": "a"}</function>'],
  [
    'invoke',
    '<function_calls><invoke name="read_file"><parameter name="path">a</parameter></invoke></function_calls>',
  ],
  ['the tool as a tag', '<read_file>\n<path>a</path>\n</read_file>'],
  ['GLM', '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'],
  [
    'DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ['newer DeepSeek', '<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a"}<｜tool▁call▁end｜>'],
  [
    'Kimi',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  ['Granite', '<|tool_call|>[{"name":"read_file","arguments":{"path":"a"}}]'],
  [
    'harmony',
    '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a"}<|call|>',
  ],
  [
    'harmony, started',
    '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path":"a"}',
  ],
  ['ReAct', 'Action: read_file\nAction Input: {"path": "a"}'],
];

test.each(marked)('a call in the marks of %s is read', (_, text) => {
  expect(names(text)).toEqual(readA);
});

const unmarked: [what: string, text: string][] = [
  ['a fence', '```json\n{"name":"read_file","arguments":{"path":"a"}}\n```'],
  ['a fence without an end', '```json\n{"name":"read_file","arguments":{"path":"a"}}'],
  ['a fence on one line', '```{"name":"read_file","arguments":{"path":"a"}}```'],
  ['bare JSON', '{"name":"read_file","arguments":{"path":"a"}}'],
  ['JSON arguments as text', '{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}'],
  [
    'the OpenAI shape',
    '{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\\"path\\":\\"a\\"}"}}',
  ],
  ['a list of calls', '{"tool_calls":[{"function":{"name":"read_file","arguments":{"path":"a"}}}]}'],
  ['tool and arguments', '{"tool":"read_file","args":{"path":"a"}}'],
  ['arguments beside the name', '{"tool":"read_file","path":"a"}'],
  ['action and input', '{"action":"read_file","action_input":{"path":"a"}}'],
  ['call and with', '{"call":"read_file","with":{"path":"a"}}'],
  ['a wrapper', '{"read_file":{"path":"a"}}'],
  ['Python', 'read_file(path="a")'],
  ['Python with the one argument it needs', "read_file('a')"],
  ['Python with JSON', 'read_file({"path": "a"})'],
  ['Python in a fence', '```python\nread_file(path="a")\n```'],
  ['tool_code', '```tool_code\ndefault_api.read_file(path="a")\n```'],
  ['backquotes around it all', '`read_file(path="a")`'],
  ['a sentence before it', 'I will look at the file: {"name":"read_file","arguments":{"path":"a"}}'],
  [
    'a paragraph before it',
    'I will look.\n\n{"name":"read_file","arguments":{"path":"a"}}\n\nThen I tell you.',
  ],
  ['a lost opening tag', '{"name":"read_file","arguments":{"path":"a"}}\n</tool_call>'],
  ['another client’s words', '{"name":"cat","arguments":{"file_path":"a"}}'],
  ['thoughts before it', '<think>read_file(path="b")</think>\nread_file(path="a")'],
];

test.each(unmarked)('a call in %s is read', (_, text) => {
  expect(names(text)).toEqual(readA);
});

const broken: [what: string, json: string][] = [
  ['a comma too many', '{"name":"read_file","arguments":{"path":"a",},}'],
  ['single quotes', "{'name':'read_file','arguments':{'path':'a'}}"],
  ['Python words', '{"name":"read_file","arguments":{"path":"a"},"id":None}'],
  ['keys without quotes', '{name: "read_file", arguments: {path: "a"}}'],
  ['missing brackets at the end', '{"name":"read_file","arguments":{"path":"a"'],
];

test.each(broken)('%s is mended, with a receipt', (_, json) => {
  const [call] = read(json).calls;
  expect(call).toMatchObject({ name: 'read_file', args: { path: 'a' } });
  expect(call?.repairs.length).toBeGreaterThan(1);
});

test('raw line breaks and stray backslashes in a text keep it as it was meant', () => {
  expect(names('{"name":"write_file","arguments":{"path":"a","content":"one\ntwo"}}')).toEqual([
    ['write_file', { path: 'a', content: 'one\ntwo' }],
  ]);
  expect(names('{"name":"search","arguments":{"pattern":"\\d+\\.ts"}}')).toEqual([
    ['search', { pattern: '\\d+\\.ts' }],
  ]);
});

const notMended: [what: string, json: string][] = [
  ['a text that is open', '{"name":"write_file","arguments":{"path":"a","content":"half'],
  ['a number at the end', '{"name":"read_file","arguments":{"path":"a","start_line":1'],
  ['a key twice', '{"name":"read_file","arguments":{"path":"a","path":"b"}}'],
  ['quotes inside a text', '{"name":"write_file","arguments":{"path":"a","content":"say "hi" now"}}'],
  ['an unfinished key', '{"name":"read_file","arguments":{"path":"a","start'],
  ['a missing value', '{"name":"read_file","arguments":{"path":}}'],
];

test.each(notMended)('%s could mean something else: no call, but an attempt', (_, json) => {
  expect(read(json)).toMatchObject({ calls: [], attempts: [{ why: 'unreadable' }], prose: json });
  expect(read(`<tool_call>${json}`)).toMatchObject({ calls: [], attempts: [{ why: 'unreadable' }] });
});

test('never with missing required arguments: an attempt that says what is missing', () => {
  expect(read('<tool_call>{"name":"write_file","arguments":{"path":"a"}}</tool_call>')).toMatchObject({
    calls: [],
    attempts: [
      { name: 'write_file', why: 'missing_arguments', words: 'write_file was called without content' },
    ],
  });
  expect(read('{"name":"read_file","arguments":{"path":null}}').calls).toEqual([]);
});

test('an invented tool is an attempt', () => {
  expect(read('{"name":"delete_file","arguments":{"path":"a"}}')).toMatchObject({
    calls: [],
    attempts: [{ name: null, why: 'unknown_tool', words: 'there is no tool named delete_file' }],
  });
});

const noCalls: [what: string, text: string][] = [
  ['an answer in JSON', '```json\n{"name": "search", "version": "1.0.0"}\n```'],
  ['an answer with a key named like a tool', '{"search": "none", "found": 3}'],
  ['the entry of a config', '{"search": {"exclude": ["a"]}}'],
  [
    'a quoted schema',
    '{"name":"list_files","description":"List","parameters":{"type":"object","properties":{}}}',
  ],
  ['a call amid an answer', '{"steps":[\n{"name":"read_file","arguments":{"path":"a"}}\n]}'],
  ['a call amid broken JSON', 'So:\n{"steps":[\n{"name":"read_file","arguments":{"path":"a"}}\n oops'],
  ['a quoted schema of arguments', 'So:\n{"name":"read_file","parameters":{"path":{"type":"string"}}}'],
  ['a call in a sentence', 'Say {"name":"read_file","arguments":{"path":"a"}} and it will be read.'],
  [
    'a call in backquotes',
    'Say `<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>` then.',
  ],
  ['an example', 'For example:\n```json\n{"name":"read_file","arguments":{"path":"a"}}\n```'],
  ['an example in German', 'Ein Beispiel:\n\n{"name":"read_file","arguments":{"path":"a"}}'],
  ['code around it', '```python\nimport os\nread_file(path="a")\n```'],
  ['code behind it', '```python\nread_file(path="a")\nprint("done")\n```'],
  ['code with names that a tool only resembles', '```python\nopen("a")\n```'],
  ['arguments whose order would be guessed', 'write_file("a", "b")'],
  ['a command in a fence', '```bash\ncat a\n```'],
  ['a mention', 'You can use the `read_file` function with a path.'],
  ['a link', '[read_file](docs/a.md)'],
  ['nothing', ''],
  ['what was only thought', '<think>\nread_file(path="a")\n</think>\nIt says hello.'],
];

test.each(noCalls)('%s is no call', (_, text) => {
  expect(read(text)).toEqual({ calls: [], attempts: [], prose: text, dropped: 0 });
});

test('several calls keep their order, a repetition in a row is one call, the prose is what is left', () => {
  const text = [
    'First I look.',
    '<tool_call>{"name":"list_files","arguments":{}}</tool_call>',
    '<tool_call>{"name":"list_files","arguments":{}}</tool_call>',
    'Then I read.',
    '```json\n{"name":"read_file","arguments":{"path":"a"}}\n{"name":"read_file","arguments":{"path":"b"}}\n```',
    '```json\n{"name":"list_files","arguments":{}}\n```',
    'Done.',
  ].join('\n');
  expect(names(text).map(([name, args]) => [name, Object.values(Object(args))])).toEqual([
    ['list_files', []],
    ['read_file', ['a']],
    ['read_file', ['b']],
    ['list_files', []],
  ]);
  expect(read(text).prose.split(/\n+/)).toEqual(['First I look.', 'Then I read.', 'Done.']);
});

test('marks inside of a text that is written are a part of it', () => {
  const content = 'See <tool_call>{"name":"list_files","arguments":{}}</tool_call> and\n```json\n{}\n```\n';
  const call = JSON.stringify({ name: 'write_file', arguments: { path: 'a', content } });
  const both = [['write_file', { path: 'a', content }]];
  expect(names(`<tool_call>${call}</tool_call>`)).toEqual(both);
  expect(names(`\`\`\`json\n${call}\n\`\`\``)).toEqual(both);
});

test('a value that holds its own closing mark is not cut there', () => {
  const text = '<write_file><path>a</path><content>one</content>two</content></write_file>';
  expect(read(text).calls).toEqual([]);
});

test('any arguments come back as they were written, in every notation', () => {
  const content = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(content, fc.string({ minLength: 1 }), (content, path) => {
      const args = { path, content };
      const json = JSON.stringify({ name: 'write_file', arguments: args });
      const code = `write_file(path=${JSON.stringify(path)}, content=${JSON.stringify(content)})`;
      for (const text of [json, `<tool_call>${json}</tool_call>`, `\`\`\`json\n${json}\n\`\`\``, code]) {
        expect(names(text)).toEqual([['write_file', args]]);
      }
    }),
  );
});

test('a call that was cut anywhere never runs with other arguments', () => {
  const args = { path: 'a', content: 'one "two"\n', start: 12 };
  const whole = JSON.stringify({ name: 'write_file', arguments: args });
  for (let end = 0; end < whole.length; end += 1) {
    for (const call of read(whole.slice(0, end)).calls) {
      expect(call.args).toMatchObject({ path: 'a', content: 'one "two"\n' });
      expect([12, undefined]).toContain(call.args['start']);
    }
  }
});

test('whatever is written, reading it ends and throws nothing', () => {
  const marks = '<tool_call> </tool_call> ```json ``` <function= > <parameter=path> [TOOL_CALLS] """';
  const signs = '{ } [ ] ( ) " \' \\ : , = 1 é name read_file arguments path Action:';
  const piece = fc.constantFrom(...`${marks} ${signs}`.split(' '), ' ', '\n', '\0', ' to=a<|message|>');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { calls } = read(pieces.join(''));
      for (const call of calls) expect(offered.map(({ name }) => name)).toContain(call.name);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a list', (calls: string[]) => `[${calls.join(',')}]`],
  ['lines', (calls: string[]) => calls.join('\n')],
  ['tags', (calls: string[]) => calls.map((call) => `<tool_call>${call}</tool_call>`).join('\n')],
])('of many calls written as %s the first 64 are read and the others are counted (audit-S6)', (_, join) => {
  const many = Array.from({ length: 100 }, (_call, n) =>
    JSON.stringify({ name: 'read_file', arguments: { path: `f${String(n)}` } }),
  );
  const { calls, dropped, prose } = read(join(many));
  expect(calls.map(({ args }) => args['path'])).toEqual(
    Array.from({ length: 64 }, (_call, n) => `f${String(n)}`),
  );
  expect({ dropped, prose }).toEqual({ dropped: 36, prose: '' });
});

const hostile: [what: string, unit: string][] = [
  ['opening tags', '<tool_call>'],
  ['opening tags with a bracket', '<tool_call>{'],
  ['opening tags with an open text', '<tool_call>{"a":"'],
  ['opening tags and quotes of two kinds', `<tool_call>["'`],
  ['open triple quotes', `<tool_call>{"a":"""'''`],
  ['open brackets', '{"a":['],
  ['open brackets on lines', '{\n'],
  ['objects on lines', '{"a":1}\n'],
  ['list of lists', '[[],'],
  ['fences', '```json\n{"a"'],
  ['fence marks', '```\n'],
  ['functions', '<function=read_file><parameter=path>'],
  ['tool tags', '<read_file><path>'],
  ['Python', 'read_file(path=\n'],
  ['spaces', ' '],
  ['line breaks', '\n'],
  ['spaces after sentences', '.   '],
  ['recipients', ' to=functions.read_file '],
  ['actions', 'Action: read_file\n'],
  ['backslashes', '<tool_call>["\\'],
  ['marks with spaces', '<|tool_call|>     '],
  ['words', 'a.b-c_'],
];

test.each(hostile)('100,000 characters of %s are read in bounded time', (_, unit) => {
  const text = unit.repeat(100_000);
  expect(growth((length) => read(text.slice(0, length)))).toBeLessThan(32);
});

const records = `${process.env['ENGINE_TRUTH'] ?? '../shared/engine-truth'}/toolcalls.json`;

test.skipIf(!existsSync(records))(
  'of a real model every call that it wrote as text is read, and nothing else',
  () => {
    interface Row {
      kind: 'text' | 'fence' | 'mentioned' | 'none';
      content: string;
    }
    const { rows } = JSON.parse(readFileSync(records, 'utf8')) as { rows: Row[] };
    expect(rows.length).toBeGreaterThan(0);
    for (const { kind, content } of rows) {
      const { calls } = read(content);
      expect({ content, calls: calls.length }).toEqual({
        content,
        calls: kind === 'text' || kind === 'fence' ? 1 : 0,
      });
    }
  },
);

test.each([
  ['tool tags in the text', '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>'],
  ['a code fence', '```json\n{"name":"read_file","arguments":{"path":"a"}}\n```'],
  ['the text', '{"name":"read_file","arguments":{"path":"a"}}'],
])('The receipt of a call says that it was read from %s (audit-A14)', (where, text) => {
  expect(read(text).calls[0]?.repairs).toEqual([`read from ${where}`]);
});

test('A call in marks that cannot run is told of, also amid other words (audit-A14)', () => {
  const call = '<tool_call>{"name":"write_file","arguments":{"path":"a"}}</tool_call>';
  expect(read(`I write it.\n${call}\nDone.`)).toMatchObject({
    calls: [],
    attempts: [{ why: 'missing_arguments' }],
  });
});

test('A broken answer is no attempt at a call where a key of one comes late in it (audit-A14)', () => {
  const before = `{"text": "${'x'.repeat(600)}", `;
  expect(read(`${before}"name": "say "hi" now"}`).attempts).toEqual([]);
});

test('A fence that ends right before a thought does hides no call behind it (audit-A14)', () => {
  expect(names('<think>\n```\nls\n```\n</think>\n{"name":"read_file","arguments":{"path":"a"}}')).toEqual(
    readA,
  );
});

test('A list of calls in Python is read as a whole, and nothing of it is left in the prose (audit-A14)', () => {
  const text = 'I look.\n[read_file(path="a"), list_files()]';
  expect(names(text)).toEqual([...readA, ['list_files', {}]]);
  expect(read(text).prose).toBe('I look.');
});

test('A list of calls in Python that was cut behind the first is an attempt (audit-A14)', () => {
  expect(read('<|python_tag|>[read_file(path="a"), read_file(path=')).toMatchObject({
    calls: [],
    attempts: [{ why: 'unreadable' }],
  });
});

test('A function without its end mark is read where nothing follows its last value (audit-A14)', () => {
  expect(names('<function=read_file>\n<parameter=path>\na\n</parameter>\n')).toEqual(readA);
  expect(names('<function=read_file>\n<parameter=path>a</parameter> b</parameter>')).toEqual([]);
});

const readFunction = (path: string): string =>
  `<function=read_file>\n<parameter=path>\n${path}\n</parameter>\n</function>`;

test('Two functions in one fence are both read, and nothing of them is left in the prose (audit-A14)', () => {
  const text = `I look.\n\`\`\`xml\n${readFunction('a')}\n${readFunction('b')}\n\`\`\`\nDone.`;
  expect(names(text)).toEqual([...readA, ['read_file', { path: 'b' }]]);
  expect(read(text).prose).toMatch(/^I look\.\n+Done\.$/);
});
