import { describe, expect, it } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import { plainRequest } from '../../../test/helpers/openai-asking.ts';
import { cannotAsk, guardStream, limitsOf } from './stream-guard.ts';

/** Fires what is due when told that time has passed. */
function manualClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return { cancel: () => void (timers = timers.filter((each) => each !== timer)) };
    },
    pass(ms) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.run();
    },
  };
}

const limits = { firstTokenMs: 120_000, idleMs: 60_000 };

/** A guard whose runner may be asked, after the first words and 60 s of silence. */
async function silentFor60s(isWriting: boolean | null) {
  const clock = manualClock();
  const call = { isWriting: () => Promise.resolve(isWriting), maxMs: 300_000 };
  const guard = guardStream({ ...limits, call }, clock, new AbortController().signal);
  guard.alive();
  const pass = async (ms: number): Promise<void> => {
    clock.pass(ms);
    await Promise.resolve();
    await Promise.resolve();
  };
  await pass(60_000);
  return { guard, pass };
}

describe('the stream guard (H3, X12 d)', () => {
  it('ends a stream without a first token after 120 s and names the limit', () => {
    const clock = manualClock();
    const guard = guardStream(limits, clock, new AbortController().signal);
    clock.pass(119_999);
    expect(guard.signal.aborted).toBe(false);
    clock.pass(1);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_first_token_timeout' });
  });

  it('ends a stream that is silent for 60 s between tokens', () => {
    const clock = manualClock();
    const guard = guardStream(limits, clock, new AbortController().signal);
    clock.pass(100_000);
    guard.alive();
    clock.pass(59_999);
    guard.alive();
    clock.pass(59_999);
    expect(guard.signal.aborted).toBe(false);
    clock.pass(1);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_idle_timeout' });
  });

  it('passes the person’s stop on with its own reason', () => {
    const outer = new AbortController();
    const guard = guardStream(limits, manualClock(), outer.signal);
    outer.abort('stopped');
    expect(guard.signal.reason).toBe('stopped');
  });

  it('never fires after it was released', () => {
    const clock = manualClock();
    const guard = guardStream(limits, clock, new AbortController().signal);
    guard.release();
    clock.pass(1_000_000);
    expect(guard.signal.aborted).toBe(false);
  });

  it('lets a runner write a call for as long as it writes', async () => {
    const { guard, pass } = await silentFor60s(true);
    for (let minute = 0; minute < 30; minute += 1) await pass(60_000);
    expect(guard.signal.aborted).toBe(false);
  });

  it('ends the stream of a runner that writes nothing', async () => {
    const { guard } = await silentFor60s(false);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_idle_timeout' });
  });

  it('ends a stream in which only lines come that say nothing, whatever the runner does', async () => {
    const { guard, pass } = await silentFor60s(true);
    guard.saidNothing();
    await pass(60_000);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_idle_timeout' });
  });

  it('gives a runner that cannot be asked the time of the longest call', async () => {
    const { guard, pass } = await silentFor60s(null);
    await pass(299_999);
    expect(guard.signal.aborted).toBe(false);
    await pass(1);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_idle_timeout' });
  });
});

describe('the limits of a request', () => {
  const tool = { name: 'list_files', description: 'Lists files', schema: { type: 'object' as const } };
  const withTools = {
    head: { system: '', tools: [{ ...tool, schema: { ...tool.schema, properties: {}, required: [] } }] },
  };

  it('know of silent calls only where tools are sent', () => {
    expect(limitsOf(plainRequest('', {}), cannotAsk).call).toBeUndefined();
    expect(limitsOf(plainRequest('', { ...withTools, maxOutputTokens: 2_000 }), cannotAsk).call?.maxMs).toBe(
      200_000,
    );
    expect(limitsOf(plainRequest('', { ...withTools, maxOutputTokens: 90_000 }), cannotAsk).call?.maxMs).toBe(
      600_000,
    );
  });
});
