/** Whatever the engine and the stores say: figures that are shown beside each other never contradict each other. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  EngineState,
  GpuSample,
  LeaseInfo,
  LoadedModel,
  RequestUsage,
  Turn,
} from '../../protocol/model.ts';
import { transcript as text } from '../text.ts';
import { aPrefill, aReading, aTurn, aUsage, noon } from '../testing/fixtures.ts';
import { gpuQueue, keptOf, prefillPace, splitContext, splitPrefill, stopTimes, turnTime } from './figures.ts';
import { readingOf, rereadsOf, totalReading } from './readings.ts';
import { gpuSight, isKnown, splitVram, vramParts } from '../../rules/vram-split.ts';

const tokens = fc.integer({ min: 0, max: 40_000 });
const ms = fc.integer({ min: 0, max: 600_000 });
const or = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const requests: fc.Arbitrary<RequestUsage[]> = fc.array(
  fc
    .record({
      promptTokens: or(tokens),
      cachedTokens: or(tokens),
      evaluatedTokens: or(tokens),
      promptMs: or(ms),
      isAgents: fc.boolean(),
      rereadTokens: or(tokens),
      newTokens: or(tokens),
      cause: fc.constantFrom(null, 'reload', 'head_changed', 'unknown', 'persons_choice'),
      hasAccount: fc.boolean(),
    })
    .map(({ isAgents, rereadTokens, newTokens, cause, hasAccount, ...counters }) =>
      aUsage({
        ...counters,
        ...(isAgents && { parentCallId: 'c1' }),
        ...(hasAccount && { reading: aReading({ rereadTokens, newTokens, cause }) }),
      }),
    ),
  { maxLength: 6 },
);

/** What an engine that does not count had to read, by Andiron's own account. */
const told = ({ reading }: RequestUsage): number =>
  reading?.newTokens == null ? NaN : reading.newTokens + (reading.rereadTokens ?? 0);

describe('what requests read', () => {
  it('is split into parts that are never more than what was evaluated, in time too (audit-U4)', () => {
    fc.assert(
      fc.property(requests, (usage) => {
        for (const request of usage) {
          const { fresh, reread, freshMs, rereadMs } = readingOf(request);
          expect(Math.min(fresh ?? 0, reread)).toBeGreaterThanOrEqual(0);
          expect(fresh === null ? NaN : fresh + reread).toBe(request.evaluatedTokens ?? told(request));
          const wholeMs = freshMs === null || rereadMs === null ? null : Math.round(freshMs + rereadMs);
          expect(wholeMs).toBe(request.promptMs);
        }
      }),
    );
  });

  it('is read again in the bar as often as the lines with its causes say (audit-U4)', () => {
    fc.assert(
      fc.property(requests, (usage) => {
        expect(sum(rereadsOf(usage).map((reread) => reread.tokens))).toBe(totalReading(usage).reread);
      }),
    );
    // 3 tokens without a cause beside 834 with one.
    const usage = [834, 3].map((rereadTokens) =>
      aUsage({
        evaluatedTokens: 1_000,
        reading: aReading({ rereadTokens, cause: rereadTokens < 20 ? null : 'reload' }),
      }),
    );
    expect(totalReading(usage).reread).toBe(834);
  });

  it('by subagents is a part of what the turn read (audit-U4)', () => {
    fc.assert(
      fc.property(requests, (usage) => {
        const theirs = totalReading(usage.filter((request) => request.parentCallId !== undefined));
        const all = totalReading(usage);
        expect(theirs.reread).toBeLessThanOrEqual(all.reread);
        expect(theirs.fresh ?? 0).toBeLessThanOrEqual(all.fresh ?? Infinity);
      }),
    );
  });
});

describe('the window', () => {
  it('is never fuller than full, and its parts make up what is used (audit-U4)', () => {
    const contexts = fc.record({
      usedTokens: tokens,
      windowTokens: fc.integer({ min: 1, max: 40_000 }),
      estimated: fc.boolean(),
      parts: fc.record({ headTokens: tokens, openingTokens: or(tokens) }),
    });
    fc.assert(
      fc.property(contexts, (context) => {
        const { used, window, ratio, parts } = splitContext(context);
        expect(used).toBeLessThanOrEqual(window);
        expect(ratio).toBeLessThanOrEqual(1);
        if (!parts) return;
        expect(parts.head + (parts.opening ?? 0) + parts.log).toBe(used);
        expect(Math.min(parts.head, parts.opening ?? 0, parts.log)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('a prompt that is read', () => {
  const prefills = fc
    .record({
      promptTokens: or(tokens),
      cachedTokens: or(tokens),
      readTokens: tokens,
      source: fc.constantFrom('measured' as const, 'predicted' as const),
    })
    .map((over) => aPrefill(over));

  it('has no part that is larger than it is (audit-U4)', () => {
    fc.assert(
      fc.property(prefills, (prefill) => {
        const { prompt, cached, toRead, read } = splitPrefill(prefill);
        if (prompt === null || toRead === null) return;
        expect((cached ?? 0) + toRead).toBe(prompt);
        expect(read).toBeLessThanOrEqual(toRead);
      }),
    );
  });

  it('names no speed that a few tokens or a prediction would give (audit-U4)', () => {
    fc.assert(
      fc.property(prefills, ms, (prefill, elapsed) => {
        const pace = prefillPace(prefill, elapsed);
        if (pace === null) return;
        expect(prefill.source).toBe('measured');
        expect(pace.tokens).toBeGreaterThanOrEqual(64);
      }),
    );
    expect(prefillPace(aPrefill({ source: 'measured', readTokens: 2 }), 6_000)).toBeNull();
    expect(prefillPace(aPrefill({ source: 'measured', readTokens: 64 }), 6_000)).not.toBeNull();
  });
});

describe('a stop', () => {
  const items = fc.record({
    closedMs: or(ms),
    idleMs: or(ms),
    promptTokens: or(tokens),
    keptTokens: or(tokens),
    counted: fc.constantFrom(undefined, 'kept' as const, 'both' as const),
  });

  it('keeps no more of the prompt than the prompt has, in words too (audit-U4)', () => {
    fc.assert(
      fc.property(items, (item) => {
        const known = keptOf(item);
        if (known?.kept == null) return;
        const { kept, prompt } = known;
        expect(kept).toBe(item.keptTokens);
        expect(kept).toBeLessThanOrEqual(prompt);
        const words = text.stopped.kept(kept, prompt, item.counted);
        const [first = 0, second = first] = [...words.matchAll(/(\d[\d,]*)(k?)/g)].map(
          ([, digits = '', kilo]) => Number(digits.replaceAll(',', '')) * (kilo === 'k' ? 1_000 : 1),
        );
        expect(first).toBeLessThanOrEqual(second);
      }),
    );
    expect(text.stopped.kept(1_825, 1_825, 'kept')).toBe('1,825 prompt tokens kept, about the whole prompt.');
  });

  it('took until the engine was idle, and the connection closed no later (audit-U4)', () => {
    fc.assert(
      fc.property(items, (item) => {
        const { restMs, closedMs } = stopTimes(item);
        expect(restMs === null).toBe(item.closedMs === null || item.idleMs === null);
        expect(closedMs ?? 0).toBeLessThanOrEqual(restMs ?? Infinity);
      }),
    );
    expect(text.stopped.title(stopTimes({ closedMs: 1, idleMs: 2_200 }).restMs)).toBe('Stopped in 2.2 s.');
    expect(text.stopped.title(stopTimes({ closedMs: 1 }).restMs)).toBe('Stopped.');
  });
});

it('the time of a turn and the time in which the person was asked make up the whole (audit-U4)', () => {
  const turns: fc.Arbitrary<Turn> = fc
    .record({ startedAt: or(ms), lasts: or(ms), phaseAt: or(ms), askedMs: ms, isAsking: fc.boolean() })
    .map(({ startedAt, lasts, phaseAt, askedMs, isAsking }) =>
      aTurn({
        startedAt,
        endedAt: startedAt === null || lasts === null ? null : startedAt + lasts,
        phase: isAsking ? 'approval' : 'text',
        phaseSince: phaseAt,
        askedMs,
      }),
    );
  fc.assert(
    fc.property(turns, ms, (turn, after) => {
      const now = (turn.startedAt ?? 0) + after;
      const { workedMs, askedMs } = turnTime(turn, now);
      expect(Math.min(workedMs, askedMs)).toBeGreaterThanOrEqual(0);
      expect(workedMs + askedMs).toBe(turn.startedAt === null ? 0 : (turn.endedAt ?? now) - turn.startedAt);
    }),
  );
  const read = aTurn({ endedAt: noon + 57_000, askedMs: 55_000 });
  expect(turnTime(read, noon + 90_000)).toEqual({ workedMs: 2_000, askedMs: 55_000 });
});

it('as many turns wait for the GPU as stand in its queue with a place, and nobody twice (audit-U4)', () => {
  const holders: fc.Arbitrary<LeaseInfo> = fc.record({
    id: fc.integer({ max: 9 }).map(String),
    model: fc.constant('m'),
    label: fc.constant('Go on'),
    purpose: fc.constantFrom('turn' as const, 'warm' as const),
    since: fc.constant(noon),
  });
  const queues = fc.uniqueArray(holders, { selector: ({ id }) => id, maxLength: 6 });
  fc.assert(
    fc.property(or(holders), queues, (lease, queue) => {
      const { lines, turnsWaiting } = gpuQueue({ lease, queue });
      const placed = lines.filter(({ place }) => place !== null);
      expect(placed.map(({ place }) => place)).toEqual(placed.map((_, index) => index + 1));
      expect(placed.filter(({ holder }) => holder.purpose === 'turn')).toHaveLength(turnsWaiting);
      expect(new Set(lines.map(({ holder }) => holder.id)).size).toBe(lines.length);
    }),
  );
});

describe('VRAM', () => {
  const bytes = fc.integer({ min: 0, max: 30 * 1024 ** 3 });
  const gpus: fc.Arbitrary<GpuSample[]> = fc.array(
    fc.record({
      name: fc.constant('RTX 3090'),
      vramTotalBytes: or(bytes),
      vramUsedBytes: or(bytes),
      vramModelBytes: or(bytes),
      utilization: fc.constant(null),
      temperatureC: fc.constant(null),
      powerW: fc.constant(null),
      at: fc.constant(noon),
    }),
    { maxLength: 2 },
  );
  const loaded: fc.Arbitrary<LoadedModel[]> = fc.array(
    fc.record(
      {
        name: fc.constant('m'),
        sizeBytes: bytes,
        vramBytes: bytes,
        weightsBytes: bytes,
        contextTokens: fc.constant(null),
        asPlanned: fc.constant(null),
        expiresAt: fc.constant(''),
      },
      { requiredKeys: ['name', 'sizeBytes', 'vramBytes', 'contextTokens', 'asPlanned', 'expiresAt'] },
    ),
    { maxLength: 3 },
  );

  it('is the sum of its parts, none of which is larger than a card (audit-U4)', () => {
    fc.assert(
      fc.property(gpus, loaded, (cards, models) => {
        const vram = splitVram(cards, models);
        if (!isKnown(vram)) return;
        const parts = vramParts(vram);
        expect(vram.used).toBeLessThanOrEqual(vram.total);
        expect(Math.min(...parts.map((part) => part.bytes))).toBeGreaterThanOrEqual(0);
        expect(sum(parts.map((part) => part.bytes))).toBe(vram.total);
      }),
    );
  });

  it('is never used on a computer that is said to have no GPU (audit-U4)', () => {
    const lent = or(
      bytes.map((freedBytes) => ({ model: 'm', contextTokens: 4_096, since: noon, freedBytes })),
    );
    fc.assert(
      fc.property(gpus, loaded, lent, (cards, models, given) => {
        const engine: Pick<EngineState, 'gpus' | 'loaded' | 'lent'> = {
          gpus: cards,
          loaded: models,
          lent: given,
        };
        const held = sum(models.map((model) => model.vramBytes)) + (given?.freedBytes ?? 0);
        fc.pre(cards?.length === 0);
        expect(gpuSight(engine)).toBe(held === 0 ? 'none' : 'unreadable');
      }),
    );
  });
});
