import { expect, test } from 'vitest';
import { parseIoreg } from './apple-ioreg.ts';

/** In the form of a published output of an Apple M4; shortened. */
const m4 = `+-o AGXAcceleratorG16G  <class AGXAcceleratorG16G, id 0x10000050b, registered, matched, active, busy 0 (655 ms), retain 51>
    {
      "PerformanceStatistics" = {"In use system memory (driver)"=0,"Alloc system memory"=1574862848,"Tiler Utilization %"=20,"Device Utilization %"=21,"SplitSceneCount"=0,"In use system memory"=351141888}
      "model" = "Apple M4"
      "gpu-core-count" = 10
    }
`;

test("a Mac's GPU says what it uses of the shared memory, and how busy it is", () => {
  expect(parseIoreg(m4, 32 * 1024 ** 3)).toEqual([
    {
      name: 'Apple M4',
      vramTotalBytes: 32 * 1024 ** 3,
      vramUsedBytes: 351_141_888,
      unified: true,
      utilization: 21,
      temperatureC: null,
      powerW: null,
    },
  ]);
});

test('of a card with its own memory only its work is known', () => {
  const card =
    '+-o AMD  <class B>\n "PerformanceStatistics" = {"Device Utilization %"=7}\n "model" = <"Radeon">\n';
  const [radeon] = parseIoreg(card, null);
  expect(radeon).toMatchObject({ name: 'Radeon', vramUsedBytes: null, utilization: 7 });
  expect(radeon).not.toHaveProperty('unified');
});

test.each(['', 'nonsense', '+-o X  <class A>\n "model" = "Nothing known"\n', '"Device Utilization %"=3}'])(
  'anything else is no card: %j',
  (text) => {
    expect(parseIoreg(text, 1)).toEqual([]);
  },
);
