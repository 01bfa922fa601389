import { describe, expect, it } from 'vitest';
import type { Executor, StepCheck } from '../../protocol/plan.ts';
import { threadMs } from '../../../test/helpers/thread-time.ts';
import { parsePlan, type ParsedPlan } from './parse-plan.ts';

const offered = { tools: ['read_file', 'edit_file', 'run_command'], profiles: ['developer', 'reader'] };

const parse = (reply: string): ParsedPlan => parsePlan(reply, offered);

function planOf(reply: string): Extract<ParsedPlan, { kind: 'plan' }> {
  const plan = parse(reply);
  if (plan.kind !== 'plan') throw new Error('no plan');
  return plan;
}

const textsOf = (reply: string): string[] => planOf(reply).steps.map(({ text }) => text);

const lines = (...text: string[]): string => text.join('\n');

describe('a plan', () => {
  it('has steps with executors, milestones and checks, in order (D9)', () => {
    const reply = lines(
      'Here is the plan.',
      '**Steps:**',
      '**M1: Find the cause**',
      '1. Read the log - TOOL: read_file',
      '2. Compare the versions - AGENT: reader',
      '**M2: Mend it**',
      '3. Change the parser - TOOL: edit_file',
      '   CHECK: command npm test',
      '4. Say what was wrong - SELF',
    );
    const { steps, dropped, renumbered } = planOf(reply);
    expect(
      steps.map(({ id, text, milestone, executor, check }) => [id, text, milestone, executor, check]),
    ).toEqual([
      ['step_1', 'Read the log', 'M1: Find the cause', { kind: 'tool', tool: 'read_file' }, null],
      ['step_2', 'Compare the versions', 'M1: Find the cause', { kind: 'agent', profileId: 'reader' }, null],
      [
        'step_3',
        'Change the parser',
        'M2: Mend it',
        { kind: 'tool', tool: 'edit_file' },
        { kind: 'command', command: 'npm test' },
      ],
      ['step_4', 'Say what was wrong', 'M2: Mend it', { kind: 'self' }, null],
    ]);
    expect(steps.every(({ status }) => status === 'pending')).toBe(true);
    expect({ dropped, renumbered }).toEqual({ dropped: [], renumbered: false });
  });

  it.each([
    'Sorry, I cannot plan this.',
    '',
    '- Read a\n- Write b',
    '* Read a',
    '**Steps:**\n\nNone.',
    '1. [What to do] - TOOL: name',
    '<think>1. Read a\n2. Write b',
  ])('is malformed for %j (D3, Q10, X12 e)', (reply) => {
    expect(parse(reply)).toEqual({ kind: 'malformed' });
  });

  it.each([
    ['a code fence', '```markdown\n**Steps:**\n1. Read a\n2. Write b\n```'],
    ['Windows line ends', '**Steps:**\r\n1. Read a\r\n2. Write b\r\n'],
    ['brackets behind the numbers', '1) Read a\n2) Write b'],
    ['numbers without a space', '1.Read a\n2.Write b'],
    ['bold numbers', '**1.** Read a\n**2.** Write b'],
    ['bold lines', '**1. Read a**\n**2. Write b**'],
    ['headings', '### 1. Read a\nText.\n\n### 2. Write b'],
    ['the word step', 'Step 1: Read a\n**Step 2:** Write b'],
    ['thinking before it', '<think>\n1. Dream\n</think>\n1. Read a\n2. Write b'],
    ['prose around it (Q10)', 'I will do this:\n\n1. Read a\n2. Write b\n\nShall I begin?'],
    ['the first step beside the header', 'Steps: 1. Read a\n2. Write b'],
    ['tick boxes', '1. [ ] Read a\n2. [x] Write b'],
    ['blank lines between', '1. Read a\n\n2. Write b\n'],
    ['a header in small letters', '## steps\n\n  1. Read a\n  2. Write b'],
  ])('is read with %s', (_, reply) => {
    expect(textsOf(reply)).toEqual(['Read a', 'Write b']);
  });

  it('begins at its Steps block, whatever was numbered before (P1)', () => {
    const reply = '**Milestones:**\n1. Understand\n2. Change\n\n**Steps:**\n1. Read a\n2. Write b';
    expect(textsOf(reply)).toEqual(['Read a', 'Write b']);
  });

  it('ends where notes and risks begin', () => {
    expect(textsOf('**Steps:**\n1. Read a\n\n**Risks:**\n1. It may fail\n\nNotes:\n2. Be careful')).toEqual([
      'Read a',
    ]);
  });

  it.each(['Notes:', 'Notes', 'Open questions:'])(
    'ends at the plain line %j as at a bold one (audit-A14)',
    (line) => {
      expect(textsOf(`**Steps:**\n1. Read a\n\n${line}\n2. Be careful`)).toEqual(['Read a']);
    },
  );

  it('never makes steps of sub-bullets and nested numbers (Q10)', () => {
    const reply = lines(
      '1. Read a',
      '   - the head',
      '   * the tail',
      '   1. first half',
      '   2) second half',
      '\t1. third',
      '2. Write b',
      '2.1 the head',
      '2.2. the tail',
    );
    expect(textsOf(reply)).toEqual(['Read a', 'Write b']);
  });

  it('takes numbers that begin anew below each milestone, and says that its own differ', () => {
    const reply = '## Milestone 1: Read\n1. Read a\n2. Read b\n## Milestone 2: Write\n1. Write c\n2. Write d';
    const { steps, renumbered } = planOf(reply);
    expect(steps.map(({ id, text, milestone }) => [id, text, milestone])).toEqual([
      ['step_1', 'Read a', 'Milestone 1: Read'],
      ['step_2', 'Read b', 'Milestone 1: Read'],
      ['step_3', 'Write c', 'Milestone 2: Write'],
      ['step_4', 'Write d', 'Milestone 2: Write'],
    ]);
    expect(renumbered).toBe(true);
  });

  it.each([
    ['numbered', '1. **Milestone 1: Read**\n   1. Read a\n2. **Milestone 2: Write**\n   1. Write b'],
    ['bullets', '- **M1: Read**\n  1. Read a\n- **M2: Write**\n  2. Write b'],
    ['numbered headings', '## 1. Read\n1. Read a\n## 2. Write\n1. Write b'],
    ['decimal numbers', '**M1: Read**\n1.1 Read a\n**M2: Write**\n2.1 Write b'],
    ['plain lines', 'M1: Read\n1. Read a\nM2 - Write\n2. Write b'],
  ])('reads milestones that are %s', (_, reply) => {
    const { steps } = planOf(reply);
    expect(steps.map(({ text }) => text)).toEqual(['Read a', 'Write b']);
    expect(new Set(steps.map(({ milestone }) => milestone)).size).toBe(2);
    expect(steps[0]?.milestone).toContain('Read');
  });

  it('joins a step that spans lines, until a blank line or a bullet', () => {
    expect(
      textsOf('1. Read the whole\n   file a - TOOL: read_file\n   - slowly\n2. Write b\n\nGood luck!'),
    ).toEqual(['Read the whole file a', 'Write b']);
  });

  it('is cut at 15 steps, with a remark (D10)', () => {
    const reply = Array.from({ length: 40 }, (_, index) => `${String(index + 1)}. Do thing ${String(index)}`);
    const { steps, dropped } = planOf(reply.join('\n'));
    expect(steps).toHaveLength(15);
    expect(dropped).toEqual(['The plan had 40 steps; the first 15 were kept.']);
  });

  it('loses its repeated steps, with a remark', () => {
    const { steps, dropped } = planOf('1. Read a\n2. Write b\n3. Read  a.\n4. **Write b**\n5. Say so');
    expect(steps.map(({ text }) => text)).toEqual(['Read a', 'Write b', 'Say so']);
    expect(dropped).toEqual(['Left out 2 repeated steps.']);
  });

  it('is taken as it is where it contradicts itself', () => {
    expect(textsOf('1. Delete the file a\n2. Edit the file a\n3. Keep the file a')).toEqual([
      'Delete the file a',
      'Edit the file a',
      'Keep the file a',
    ]);
  });

  it('leaves out placeholders of the form, with a remark (Q10)', () => {
    const { steps, dropped, renumbered } = planOf('1. [Step description] - SELF\n2. Read a');
    expect(steps.map(({ text }) => text)).toEqual(['Read a']);
    expect(dropped).toEqual(['Left out a placeholder: [Step description]']);
    expect(renumbered).toBe(true);
  });

  it('has no step longer than a line can show', () => {
    expect(textsOf(`1. ${'long '.repeat(1000)}`)[0]?.length).toBeLessThanOrEqual(300);
  });

  it.each([
    '1. Read a - TOOL: read_file\n',
    '1.',
    '1. (',
    'TOOL ',
    '**',
    '1. x\n - y\n',
    '<think>',
    ' ',
    '1. CHECK: text "',
    '# \n',
  ])('of 1 MB of %j is read in bounded time', (part) => {
    const began = threadMs();
    parse(part.repeat(1_000_000 / part.length));
    parse(`1. ${part.repeat(1_000_000 / part.length)}`);
    expect(threadMs() - began).toBeLessThan(2000);
  });
});

describe('the executor of a step (D9)', () => {
  const tool: Executor = { kind: 'tool', tool: 'read_file' };
  const agent: Executor = { kind: 'agent', profileId: 'developer' };
  const self: Executor = { kind: 'self' };

  it.each<[string, Executor]>([
    ['Look at a - TOOL: read_file', tool],
    ['Look at a (TOOL: read_file)', tool],
    ['Look at a — TOOL read_file', tool],
    ['Look at a → tool: read_file', tool],
    ['Look at a **TOOL:** `read_file`', tool],
    ['Look at a [TOOL: read_file]', tool],
    ['[TOOL: read_file] Look at a', tool],
    ['TOOL: read_file - Look at a', tool],
    ['`TOOL: read_file`: Look at a', tool],
    ['**TOOL: read_file** — Look at a', tool],
    ['Look at a. Executor: TOOL: read_file', tool],
    ['Look at a | Executor: read_file', tool],
    ['Look at a - TOOL: Read File', tool],
    ['Look at a - TOOL: readFile', tool],
    ['Look at a - TOOL: functions.read_file', tool],
    ['Look at a - TOOL: read_file(path="a")', tool],
    ['Look at a - AGENT: read_file', tool],
    ['Look at a - AGENT: developer', agent],
    ['Look at a (agent: Developer)', agent],
    ['Look at a - TOOL: developer', agent],
    ['Look at a - SELF', self],
    ['Look at a (SELF)', self],
    ['Look at a (self)', self],
    ['SELF: Look at a', self],
    ['[SELF] Look at a', self],
    ['Look at a - Executor: self', self],
    ['Look at a - TOOL: none', self],
    ['Look at a', self],
  ])('is read from %j', (line, executor) => {
    expect(planOf(`1. ${line}`)).toMatchObject({
      steps: [{ executor, text: expect.stringMatching(/^Look at a\.?$/) as string }],
      dropped: [],
    });
  });

  it.each([
    '1. Look at a\n   TOOL: read_file',
    '1. Look at a\n   - TOOL: read_file',
    '1. Look at a\n   **TOOL: read_file**',
    '1. Look at a\n\n   - Executor: `TOOL: read_file`',
  ])('may stand below it: %j', (reply) => {
    expect(planOf(reply).steps).toMatchObject([{ text: 'Look at a', executor: tool }]);
  });

  it('is the agent itself where the tool or the profile does not exist, and the remark says so', () => {
    const { steps, dropped } = planOf('1. Fly - TOOL: magic_carpet\n2. Ask - AGENT: oracle');
    expect(steps.map(({ text, executor }) => [text, executor.kind])).toEqual([
      ['Fly', 'self'],
      ['Ask', 'self'],
    ]);
    expect(dropped).toEqual([
      "Step 1: there is no tool named magic_carpet, so it is the agent's own.",
      "Step 2: there is no profile named oracle, so it is the agent's own.",
    ]);
  });

  it.each([
    'Fix the build tool: it fails',
    'Use the right tool for it',
    'Read up on TOOL making',
    'Collect them, tool by tool',
    'Improve self control',
    'Name the SELFISH gene',
  ])('is not found in the prose of %j', (text) => {
    expect(planOf(`1. ${text}`)).toMatchObject({ steps: [{ text, executor: self }], dropped: [] });
  });

  it.each(['nonesuch', 'selfie', 'nullify'])(
    'is named in the remark where it only begins like a word for nobody: %s (audit-A14)',
    (name) => {
      expect(planOf(`1. Fly - TOOL: ${name}`).dropped).toEqual([
        `Step 1: there is no tool named ${name}, so it is the agent's own.`,
      ]);
    },
  );

  it('is named in the remark by its first word, without what ends the sentence (audit-A14)', () => {
    const { steps, dropped } = planOf('1. Fly - TOOL: magic.carpet-. over the hills');
    expect(dropped).toEqual(["Step 1: there is no tool named magic.carpet, so it is the agent's own."]);
    expect(steps[0]?.executor).toEqual(self);
  });

  it('names the step where nothing else does', () => {
    expect(textsOf('1. TOOL: read_file\n2. SELF')).toEqual(['read_file', 'Think']);
  });
});

describe('the check of a step', () => {
  const file: StepCheck = { kind: 'file_exists', path: 'src/a.ts' };
  const text: StepCheck = { kind: 'text_present', path: 'notes.md', text: 'all done' };
  const command: StepCheck = { kind: 'command', command: 'npm test' };

  it.each<[string, StepCheck]>([
    ['file src/a.ts', file],
    ['file: src/a.ts', file],
    ['file `src/a.ts` exists', file],
    ['file exists: src/a.ts', file],
    ['src/a.ts exists', file],
    ['`src/a.ts`', file],
    ['text "all done" in notes.md', text],
    ['text: `all done` in `notes.md`', text],
    ['"all done" is in the file notes.md', text],
    ['text all done in notes.md', text],
    ['notes.md contains "all done"', text],
    ['file notes.md contains "all done"', text],
    ['command npm test', command],
    ['command: `npm test`', command],
    ['command `npm test` exits with 0', command],
    ['command `npm test` and every test is green', command],
    ['command : npm test', command],
    ['command npm test succeeds', command],
    ['run npm test', command],
  ])('is read from %j', (written, check) => {
    for (const reply of [
      `1. Do it - SELF\n   CHECK: ${written}`,
      `1. Do it\n   - SELF\n   - **Check:** ${written}`,
      `1. Do it - SELF - CHECK: ${written}`,
      `1. Do it - CHECK: ${written} - SELF`,
    ]) {
      expect(planOf(reply)).toMatchObject({ steps: [{ text: 'Do it', check }], dropped: [] });
    }
  });

  it.each(['it looks good', 'file', 'file *.ts', 'file [path]', 'text "a" in <path>'])(
    'is dropped with a remark where it is %j',
    (written) => {
      const { steps, dropped } = planOf(`1. Do it\n   CHECK: ${written}`);
      expect(steps[0]?.check).toBeNull();
      expect(dropped[0]).toMatch(/^Step 1: its check was not understood/);
    },
  );

  it('is dropped where it is longer than any check', () => {
    expect(planOf(`1. Do it\n   CHECK: command ${'x'.repeat(600)}`).steps[0]?.check).toBeNull();
  });

  it.each(['none', 'N/A', '', 'file PATH', 'text "WORDS" in PATH'])('may be none: %j', (written) => {
    expect(planOf(`1. Do it\n   CHECK: ${written}`)).toMatchObject({ steps: [{ check: null }], dropped: [] });
  });

  it('is no part of a sentence', () => {
    const { steps } = planOf('1. Check: the tests still pass');
    expect(steps).toMatchObject([{ text: 'Check: the tests still pass', check: null }]);
  });
});
