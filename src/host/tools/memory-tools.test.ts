import { describe, expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import type { MemoryAccess, RememberedFact } from './memory-access.ts';
import { memorySaveTool } from './memory-save.ts';
import { memorySearchTool } from './memory-search.ts';
import { quietServices } from './testing.ts';
import type { Tool, ToolResult } from './tool.ts';

interface Fake extends MemoryAccess {
  saved: [RememberedFact, sessionId: string, origin: string][];
}

function fakeMemory(found: RememberedFact[] = []): Fake {
  const saved: Fake['saved'] = [];
  return {
    saved,
    save({ category = 'general', key, value }, sessionId, origin) {
      if (value.includes('hunter2'))
        throw new AndironError('invalid_params', 'That is a secret.', 'Keep it elsewhere.');
      if (value === 'bug') throw new TypeError('oops');
      const fact = { category, key, value };
      saved.push([fact, sessionId, origin]);
      return { fact, change: 'added' };
    },
    search: () =>
      Promise.resolve(
        found.map((fact) => ({ ...fact, isTaught: fact.category === 'taught', by: 'words' as const })),
      ),
  };
}

async function call(tool: Tool, args: unknown): Promise<ToolResult> {
  const parsed = tool.parse(args);
  if (!parsed.ok) return { ok: false, content: parsed.error, display: null };
  return parsed.call.execute({
    workspace: '/w',
    callId: 'c',
    sessionId: 's',
    signal: new AbortController().signal,
    output: () => undefined,
    ...quietServices(),
  });
}

describe('memory_save', () => {
  test('remembers, and says what', async () => {
    const memory = fakeMemory();
    const result = await call(memorySaveTool(memory), { category: 'person', key: 'city', value: 'Munich' });
    expect(result).toEqual({ ok: true, content: 'Remembered: person: city = Munich', display: null });
    expect(memory.saved).toEqual([[{ category: 'person', key: 'city', value: 'Munich' }, 's', 'saved']]);
  });

  test('the category may be left out', async () => {
    expect((await call(memorySaveTool(fakeMemory()), { key: 'city', value: 'Munich' })).content).toBe(
      'Remembered: general: city = Munich',
    );
  });

  test('what may not be remembered is an error that says what to do', async () => {
    expect(await call(memorySaveTool(fakeMemory()), { key: 'login', value: 'hunter2' })).toMatchObject({
      ok: false,
      content: 'Error: That is a secret. Keep it elsewhere.',
    });
    expect((await call(memorySaveTool(fakeMemory()), { key: 'x', value: 'bug' })).content).toBe(
      'Tool error: oops',
    );
  });

  test('a missing value is asked for, never guessed', async () => {
    const memory = fakeMemory();
    expect((await call(memorySaveTool(memory), { key: 'city' })).content).toContain('value is missing');
    expect(memory.saved).toEqual([]);
  });

  test('it writes only what belongs to Andiron, so it asks no more often than reading, and it may be repeated', () => {
    const tool = memorySaveTool(fakeMemory());
    const parsed = tool.parse({ key: 'city', value: 'Munich' });
    expect([tool.mutates, tool.retrySafe]).toEqual([true, true]);
    expect(parsed.ok && parsed.call.need).toMatchObject({ risk: 'read', farEffect: { kind: 'memory' } });
  });
});

describe('memory_search', () => {
  test('shows what was found', async () => {
    const memory = fakeMemory([{ category: 'person', key: 'city', value: 'Munich' }]);
    expect(await call(memorySearchTool(memory), { query: 'munich' })).toEqual({
      ok: true,
      content: 'person: city = Munich',
      display: { kind: 'list', entries: ['person: city = Munich'], total: 1, truncated: false },
    });
  });

  test('says what to do when nothing was found', async () => {
    const result = await call(memorySearchTool(fakeMemory()), { query: 'munich' });
    expect(result.ok).toBe(true);
    expect(result.content).toContain('Nothing is remembered');
  });
});
