import { beforeEach, describe, expect, it } from 'vitest';
import type { Todo } from '../../protocol/model.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from '../planning/todo-list.ts';
import { scratchpadTool } from './scratchpad.ts';
import { todoTool } from './todo.ts';
import type { Tool, ToolContext, ToolResult } from './tool.ts';

let todo: Todo;
let sections: Record<string, string>;
let mustValidate: boolean;

beforeEach(() => {
  todo = { steps: [] };
  sections = {};
  mustValidate = false;
});

const context: ToolContext = {
  workspace: '/work',
  callId: 'call',
  sessionId: 'session',
  signal: new AbortController().signal,
  output: () => undefined,
  data: {
    todo: () => todo,
    setTodo: (next) => (todo = next),
    mustValidate: () => false,
    readScratchpad: () => sections,
    writeScratchpad: (next) => (sections = next),
  },
  agents: null,
  profiles: { list: () => [], switchTo: () => undefined },
};

async function call(tool: Tool, args: unknown): Promise<ToolResult> {
  const parsed = tool.parse(args);
  return parsed.ok ? parsed.call.execute(context) : { ok: false, content: parsed.error, display: null };
}

describe('the todo tool', () => {
  const rules = { setSteps, setStatus, renderTodo, summarizeTodo };
  const tool = todoTool({ rules, mustValidate: () => mustValidate });

  it('sets a list, marks its steps by numbers from 1 and shows it', async () => {
    expect((await call(tool, { action: 'set', steps: ['Read a', 'Write b'] })).content).toBe(
      '1. ○ Read a\n2. ○ Write b',
    );
    expect((await call(tool, { action: 'done', step: 1 })).content).toBe(
      'Step 1 is done. 1 of 2 steps done. Next: 2. Write b',
    );
    expect((await call(tool, { action: 'start', step: 2 })).content).toContain('Now: 2. Write b');
    expect((await call(tool, { action: 'list' })).content).toBe('1. ✓ Read a\n2. ◎ Write b');
  });

  it('refuses done without validation where it is asked for, and says what is missing (E6, Q14)', async () => {
    mustValidate = true;
    await call(tool, { action: 'set', steps: ['Read a'] });
    const refused = await call(tool, { action: 'done', step: 1 });
    expect(refused).toMatchObject({ ok: false });
    expect(refused.content).toContain('validation is missing');
    expect(todo.steps[0]?.status).toBe('pending');
    expect((await call(tool, { action: 'skip', step: 1 })).ok).toBe(true);
    expect((await call(tool, { action: 'done', step: 1, validation: 'a has 3 lines' })).ok).toBe(true);
  });

  it('says which steps there are when the number is none of them', async () => {
    expect((await call(tool, { action: 'done', step: 1 })).content).toContain('the todo list is empty');
    await call(tool, { action: 'set', steps: ['One', 'Two'] });
    expect((await call(tool, { action: 'done', step: 0 })).content).toContain('numbered 1 to 2');
    expect((await call(tool, { action: 'done' })).content).toContain('Name the step by its number');
  });

  it('nudges where a step failed without a reason, and takes it all the same', async () => {
    await call(tool, { action: 'set', steps: ['One'] });
    expect((await call(tool, { action: 'fail', step: 1 })).content).toContain('Say why');
    expect(todo.steps[0]?.status).toBe('failed');
  });

  it.each([
    [{ action: 'update', index: '1', status: 'completed' }, 'done'],
    [{ action: 'mark_done', step: 'step_1' }, 'done'],
    [{ action: 'Complete', id: '#1' }, 'done'],
    [{ status: 'in progress', number: 1 }, 'in_progress'],
    [{ action: 'failed', step: 1, reason: 'gone' }, 'failed'],
  ])('understands %j', async (args, status) => {
    await call(tool, { action: 'set', steps: ['One'] });
    const result = await call(tool, args);
    expect(result.content).toMatch(/^Step 1/);
    expect(todo.steps[0]?.status).toBe(status);
  });

  it.each([
    [{ action: 'set', steps: '1. One\n2. Two' }],
    [{ action: 'create', tasks: [{ text: 'One', status: 'pending' }, { text: 'Two' }] }],
    [{ action: 'set', items: '["One", "Two"]' }],
    [{ action: 'set', steps: ['1. One', '- Two'] }],
  ])('takes a list written as %j', async (args) => {
    await call(tool, args);
    expect(todo.steps.map(({ text }) => text)).toEqual(['One', 'Two']);
  });

  it('writes on the card what it read otherwise than it was written', () => {
    const parsed = tool.parse({ action: 'complete', index: 2 });
    expect(parsed.ok && parsed.call.repairs).toEqual([
      'took index as step',
      'took the action complete as done',
    ]);
  });

  it('answers an action that does not exist with those that do', async () => {
    expect((await call(tool, { action: 'dance' })).content).toContain('one of list, set, start');
  });
});

describe('the scratchpad', () => {
  const tool = scratchpadTool();

  it('writes, appends, reads, lists and clears named sections', async () => {
    await call(tool, { action: 'write', section: 'facts', text: 'port 80' });
    await call(tool, { action: 'append', section: 'facts', text: 'host a' });
    expect((await call(tool, { action: 'read', section: 'facts' })).content).toBe('port 80\nhost a');
    expect((await call(tool, { action: 'list' })).content).toBe('facts (14 characters)');
    await call(tool, { action: 'clear', section: 'facts' });
    expect((await call(tool, { action: 'list' })).content).toBe('The scratchpad is empty.');
  });

  it('holds 4,000 characters a section, and keeps what it had where more is written', async () => {
    await call(tool, { action: 'write', section: 'a', text: 'x'.repeat(4000) });
    const refused = await call(tool, { action: 'append', section: 'a', text: 'y' });
    expect(refused.ok).toBe(false);
    expect(refused.content).toContain('4000 is the most');
    expect(sections['a']).toBe('x'.repeat(4000));
  });

  it('holds 20 sections', async () => {
    for (let index = 0; index < 20; index += 1)
      await call(tool, { action: 'write', section: `s${String(index)}`, text: 'x' });
    expect((await call(tool, { action: 'write', section: 'one more', text: 'x' })).ok).toBe(false);
    expect((await call(tool, { action: 'write', section: 's3', text: 'new' })).ok).toBe(true);
    expect(Object.keys(sections)).toHaveLength(20);
  });

  it('names the sections that exist where another is asked for', async () => {
    await call(tool, { action: 'write', section: 'facts', text: 'x' });
    expect((await call(tool, { action: 'read', section: 'fact' })).content).toContain('facts (1 characters)');
  });

  it('never overwrites or clears without a name, and reads the only section without one', async () => {
    await call(tool, { action: 'write', text: 'first' });
    expect((await call(tool, { action: 'write', text: 'second' })).ok).toBe(false);
    expect((await call(tool, { action: 'clear' })).ok).toBe(false);
    expect((await call(tool, { action: 'read' })).content).toBe('first');
  });

  it('keeps a section named like a part of every object', async () => {
    await call(tool, { action: 'write', section: '__proto__', text: 'x' });
    await call(tool, { action: 'write', section: 'constructor', text: 'y' });
    expect((await call(tool, { action: 'read', section: '__proto__' })).content).toBe('x');
  });

  it('understands the words that models use instead', async () => {
    await call(tool, { action: 'save', key: 'a', value: 'x' });
    expect((await call(tool, { action: 'get', name: 'a' })).content).toBe('x');
  });
});
