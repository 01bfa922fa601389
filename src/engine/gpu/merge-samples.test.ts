import { describe, expect, test } from 'vitest';
import { mergeFields, mergeGpus } from './merge-samples.ts';
import { nothingLive, type GpuReading } from './gpu-reading.ts';

const card = (name: string, more: Partial<GpuReading> = {}): GpuReading => ({
  name,
  vramTotalBytes: null,
  ...nothingLive,
  ...more,
});

describe('A field of two samples (audit-A13)', () => {
  const fields = ['vramTotalBytes', 'vramUsedBytes', 'utilization', 'temperatureC', 'powerW'] as const;
  const cases = fields.flatMap((field) => [
    { field, base: 1, own: null, baseAt: 0, wins: 1, why: 'the only known one wins' },
    { field, base: null, own: 2, baseAt: 9, wins: 2, why: 'an unknown one never wins' },
    { field, base: 1, own: 2, baseAt: 9, wins: 1, why: 'the newer one wins' },
    { field, base: 1, own: 2, baseAt: 0, wins: 2, why: 'the older one loses' },
    { field, base: 1, own: 0, baseAt: 5, wins: 0, why: 'the reader wins a tie, a zero too' },
    { field, base: null, own: null, baseAt: 5, wins: null, why: 'unknown stays unknown' },
  ]);

  test.each(cases)('$field: $why ($base at $baseAt, $own at 5)', ({ field, base, own, baseAt, wins }) => {
    const merged = mergeFields(
      { value: card('a', { [field]: base }), at: baseAt },
      { value: card('b', { [field]: own }), at: 5 },
    );
    expect(merged).toEqual(card('b', { [field]: wins }));
  });
});

const merge = (base: GpuReading[], own: GpuReading[]) =>
  mergeGpus({ value: base, at: 0 }, { value: own, at: 0 });

describe('Cards of two samples (audit-A13)', () => {
  test('A card is found under the longer name of its maker, and each only once', () => {
    const base = [
      card('Navi 31 [Radeon RX 7900 XTX]', { powerW: 7 }),
      card('NVIDIA GeForce RTX 3060', { powerW: 3 }),
      card('NVIDIA GeForce RTX 4090', { powerW: 4 }),
      card('NVIDIA GeForce RTX 4090', { powerW: 5 }),
    ];
    const own = [card('RTX 4090'), card('RTX 4090'), card('Radeon RX 7900')];
    expect(merge(base, own).map(({ powerW }) => powerW)).toEqual([4, 5, 7]);
  });

  test('A card of another maker adds nothing', () => {
    expect(
      merge([card('Intel Corporation UHD Graphics 770', { utilization: 9 })], [card('RTX 4090')]),
    ).toEqual([card('RTX 4090', { from: {} })]);
  });

  test('Without readers the cards are those of the system, without the system those of the readers', () => {
    const one = [card('Arc A770', { utilization: 1 })];
    expect(merge(one, [])).toMatchObject(one);
    expect(mergeGpus(null, { value: one, at: 0 })).toMatchObject(one);
  });

  test('Every known figure says which of the two sources gave it (Y2)', () => {
    const base = [card('NVIDIA RTX 4090', { powerW: 7, temperatureC: 40 })];
    const own = [card('RTX 4090', { utilization: 0, temperatureC: 41 })];
    const reader = { utilization: 'reader', temperatureC: 'reader' };
    expect(merge(base, own)[0]?.from).toEqual({ ...reader, powerW: 'systeminformation' });
    expect(merge(base, [])[0]?.from).toEqual({
      powerW: 'systeminformation',
      temperatureC: 'systeminformation',
    });
    expect(mergeGpus(null, { value: own, at: 0 })[0]?.from).toEqual(reader);
  });
});

test('a GPU that shares the main memory is known for it, and that is no figure of a source', () => {
  const own = [{ ...nothingLive, name: 'Apple M4', vramTotalBytes: 10, unified: true as const }];
  const base = [{ ...nothingLive, name: 'Apple M4', vramTotalBytes: null }];
  const [merged] = mergeGpus({ value: base, at: 2 }, { value: own, at: 1 });
  expect(merged).toMatchObject({ unified: true, from: { vramTotalBytes: 'reader' } });
  expect(merged?.from).not.toHaveProperty('unified');
});
