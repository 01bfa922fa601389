import { quietServices } from './testing.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { capText, defineTool } from './define-tool.ts';
import type { PreparedCall, ToolContext, ToolDefinition, ToolResult } from './tool.ts';
import { ToolFailure } from './tool.ts';

const parameters = z.object({ path: z.string().min(1), depth: z.int().optional() });
type Definition = ToolDefinition<typeof parameters>;

const done = (content: string): ToolResult => ({ ok: true, content, display: null });

function prepare(more: Partial<Definition>, clock?: Clock): PreparedCall {
  const parsed = define(more, clock).parse({ path: 'a' });
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.call;
}

const define = (more: Partial<Definition>, clock?: Clock) =>
  defineTool(
    {
      name: 'look',
      description: 'Look.',
      parameters,
      mutates: false,
      retrySafe: true,
      risk: 'read',
      about: 'outside',
      timeoutMs: 30_000,
      subject: ({ path }) => path,
      need: ({ path }) => ({
        risk: 'read',
        summary: `Look ${path}`,
        mutates: '',
        sandboxed: false,
        scopes: ['once'],
      }),
      execute: async () => done('seen'),
      ...more,
    },
    clock,
  );

const context = (signal = new AbortController().signal): ToolContext => ({
  workspace: '/w',
  callId: 'c',
  sessionId: 's',
  signal,
  output: () => undefined,
  ...quietServices(),
});

const run = (execute: Definition['execute'], signal?: AbortSignal) =>
  prepare({ execute }).execute(context(signal));

/** Timers fire when the test says so. */
function handClock(): Clock & { fire: (ms: number) => void } {
  const timers: { ms: number; run: () => void; live: boolean }[] = [];
  return {
    ...systemClock,
    after(ms, then) {
      const timer = { ms, run: then, live: true };
      timers.push(timer);
      return { cancel: () => void (timer.live = false) };
    },
    fire(ms) {
      for (const timer of timers.filter((one) => one.live && one.ms === ms)) timer.run();
    },
  };
}

describe('parsing', () => {
  test('gives the subject, what is asked and the receipt of repairs', () => {
    expect(define({}).parse({ path: 'a', depth: '2' })).toMatchObject({
      ok: true,
      call: { subject: 'a', need: { summary: 'Look a' }, repairs: ['read depth as integer'] },
    });
  });

  test.each([
    [{}, 'path is missing'],
    [{ path: '' }, 'path is empty'],
    [{ path: 'a', depth: 'deep' }, 'depth: Invalid input: expected number'],
    [{ path: null }, 'path: Invalid input: expected string, received null'],
    ['a', 'the arguments must be one JSON object'],
  ])('%j is refused with what is wrong and what is expected', (args, mistake) => {
    const parsed = define({}).parse(args);
    expect(parsed).toEqual({
      ok: false,
      error: expect.stringMatching(
        /^Tool error: look was not run: .*\. Call it again with: path \(string, required\), depth \(integer\)\.$/,
      ) as string,
      bare: expect.stringMatching(/^Tool error: look was not run: [^.]*\.$/) as string,
    });
    expect(parsed).toMatchObject({
      error: expect.stringContaining(mistake) as string,
      bare: expect.stringContaining(mistake) as string,
    });
  });
});

describe('results', () => {
  test('X12 l: 8,000 characters pass whole, of 8,001 the first 8,000 and the mark', async () => {
    expect((await run(async () => done('x'.repeat(8000)))).content).toBe('x'.repeat(8000));
    expect((await run(async () => done('x'.repeat(8001)))).content).toBe(
      `${'x'.repeat(8000)}\n... [truncated]`,
    );
  });

  test('the cut does not leave half a character', () => {
    expect(capText(`${'x'.repeat(7999)}🎈🎈`)).toBe(`${'x'.repeat(7999)}\n... [truncated]`);
  });

  test('P7: what a tool reports as failed begins with Error', async () => {
    expect(await run(async () => ({ ok: false, content: 'exit code: 1', display: null }))).toMatchObject({
      ok: false,
      content: 'Error: exit code: 1',
    });
    expect((await run(() => Promise.reject(new ToolFailure('There is no a.')))).content).toBe(
      'Error: There is no a.',
    );
  });

  test('P7: what is thrown begins with Tool error, and is never empty', async () => {
    expect((await run(() => Promise.reject(new Error('EIO')))).content).toBe('Tool error: EIO');
    expect((await run(() => Promise.reject(new Error('')))).content).toContain('without saying why');
    expect(
      (
        await run(() => {
          throw new TypeError('at once');
        })
      ).content,
    ).toBe('Tool error: at once');
  });
});

const refuses = (failure: Error) => run(() => Promise.reject(failure));

describe('the bare reading of a result', () => {
  test('a failure is read with its advice, and bare without it', async () => {
    const failure = new ToolFailure('There is no a.', { advice: 'Use glob to find it.' });
    expect(await refuses(failure)).toMatchObject({
      content: 'Error: There is no a. Use glob to find it.',
      bare: 'Error: There is no a.',
    });
    expect(failure.message).toBe('There is no a.');
  });

  test('advice on a line of its own takes its line with it', async () => {
    const failure = new ToolFailure('There is no a.', { advice: '\nUse glob to find it.' });
    expect(await refuses(failure)).toMatchObject({
      content: 'Error: There is no a.\nUse glob to find it.',
      bare: 'Error: There is no a.',
    });
  });

  test('words without advice have no bare reading', async () => {
    expect(await refuses(new ToolFailure('There is no a.'))).not.toHaveProperty('bare');
    expect(await refuses(new Error('EIO'))).not.toHaveProperty('bare');
    expect(await run(async () => done('seen'))).not.toHaveProperty('bare');
  });

  test('what the system refused keeps its code', async () => {
    const refusal = Object.assign(new Error('no'), { code: 'EACCES' });
    expect(await refuses(refusal)).toMatchObject({
      content:
        'Tool error: permission was denied. Use another place, or ask the person to allow it. (EACCES)',
      bare: 'Tool error: permission was denied. (EACCES)',
    });
  });

  test('what a tool says without its advice is kept, and begins with Error where it failed', async () => {
    const told = { content: '2 lines. Read on.', bare: '2 lines.', display: null };
    expect(await run(async () => ({ ok: true, ...told }))).toMatchObject({ bare: '2 lines.' });
    expect(await run(async () => ({ ok: false, ...told }))).toMatchObject({ bare: 'Error: 2 lines.' });
  });

  test('it is cut like the content', async () => {
    const long = 'x'.repeat(8001);
    const { content, bare } = await refuses(new ToolFailure(long, { advice: 'Write less.' }));
    expect(bare).toBe(content);
    expect(bare).toMatch(/xxx\n\.\.\. \[truncated\]$/);
  });

  test('a call that took too long or was ended keeps what it had said', async () => {
    const clock = handClock();
    const late = prepare({ execute: listening }, clock).execute(context());
    clock.fire(30_000);
    expect((await late).bare).toBe('Tool error: it was ended after 30 s.\nhalf');
    const ended = new AbortController();
    const call = prepare({ execute: listening }).execute({ ...context(), ended: ended.signal });
    ended.abort();
    expect((await call).bare).toBe('Error: the person ended this call before it was done.\nhalf');
  });
});

describe('the check before anybody is asked', () => {
  test('shows what would happen', async () => {
    const display = { kind: 'list' as const, entries: [], total: 0, truncated: false };
    const touched = { path: '/work/a', folder: '/work', protection: null };
    const shown = await prepare({ check: async () => ({ display, touched }) }).check(context());
    expect(shown).toEqual({ ok: true, display, touched });
    expect(await prepare({}).check(context())).toEqual({ ok: true, display: null, touched: null });
  });

  test('refuses with a result for the model', async () => {
    const refusing = prepare({ check: () => Promise.reject(new ToolFailure('There is no a.')) });
    expect(await refusing.check(context())).toEqual({
      ok: false,
      result: { ok: false, content: 'Error: There is no a.', display: null },
    });
  });
});

const listening: Definition['execute'] = (_, { signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(done('half')));
  });

describe('stopping', () => {
  const stoppedText = 'operation cancelled by user';
  test('S: a call that Stop reached says so, whatever the tool answers', async () => {
    const controller = new AbortController();
    const result = run(listening, controller.signal);
    controller.abort();
    expect(await result).toEqual({ ok: false, content: stoppedText, display: null });
  });

  test('a call after Stop does not begin', async () => {
    let began = false;
    const result = await run(async () => {
      began = true;
      return done('');
    }, AbortSignal.abort());
    expect(result.content).toBe(stoppedText);
    expect(began).toBe(false);
  });

  test('a tool that throws because of Stop is stopped, not failed', async () => {
    const controller = new AbortController();
    const result = run(
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
      controller.signal,
    );
    controller.abort();
    expect((await result).content).toBe(stoppedText);
  });

  test('its time limit ends it, and what it had to say is kept', async () => {
    const clock = handClock();
    const result = prepare({ execute: listening }, clock).execute(context());
    clock.fire(30_000);
    const { ok, content } = await result;
    expect(ok).toBe(false);
    expect(content).toMatch(/^Tool error: it was ended after 30 s\. .*\nhalf$/);
  });

  test('a tool that does not listen is not waited for without end', async () => {
    const clock = handClock();
    const deaf = prepare({ execute: () => new Promise(() => undefined) }, clock);
    const controller = new AbortController();
    const stoppedCall = deaf.execute(context(controller.signal));
    const lateCall = deaf.execute(context());
    controller.abort();
    clock.fire(30_000);
    clock.fire(5_000);
    expect((await stoppedCall).content).toBe(stoppedText);
    expect((await lateCall).content).toMatch(/^Tool error: it was ended after 30 s/);
  });

  test('a tool that bounds itself has no time limit, and Stop waits until it has ended', async () => {
    const clock = handClock();
    const work = Promise.withResolvers<ToolResult>();
    const controller = new AbortController();
    const bounded = prepare({ timeoutMs: null, execute: () => work.promise }, clock);
    let ended = false;
    const call = bounded.execute(context(controller.signal)).finally(() => (ended = true));
    controller.abort();
    clock.fire(30_000);
    clock.fire(5_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    work.resolve(done('seen'));
    expect((await call).content).toBe(stoppedText);
  });
});
