import { expect, test } from 'vitest';
import { nvidiaSmiArgs, nvidiaSmiPrograms, parseNvidiaSmi } from './nvidia-smi.ts';

const mib = 1024 * 1024;

test('one line is one GPU, in bytes, percent, degrees and watts', () => {
  expect(parseNvidiaSmi('NVIDIA GeForce RTX 4090, 24564, 1320, 37, 41, 123.41\n')).toEqual([
    {
      name: 'NVIDIA GeForce RTX 4090',
      vramTotalBytes: 24_564 * mib,
      vramUsedBytes: 1_320 * mib,
      utilization: 37,
      temperatureC: 41,
      powerW: 123,
    },
  ]);
});

test('a zero is a zero, not unknown', () => {
  expect(parseNvidiaSmi('T4, 15360, 0, 0, 30, 9.80')).toMatchObject([{ vramUsedBytes: 0, utilization: 0 }]);
});

test.each(['[N/A]', 'N/A', '[Not Supported]', '[Unknown Error]', ''])('%j is unknown, never 0', (cell) => {
  expect(parseNvidiaSmi(`GPU, ${cell}, ${cell}, ${cell}, ${cell}, ${cell}`)).toEqual([
    {
      name: 'GPU',
      vramTotalBytes: null,
      vramUsedBytes: null,
      utilization: null,
      temperatureC: null,
      powerW: null,
    },
  ]);
});

test('several GPUs are several readings, whatever ends the lines', () => {
  const names = parseNvidiaSmi('A, 1, 1, 1, 1, 1\r\nB, 2, 2, 2, 2, 2\r\n').map(({ name }) => name);
  expect(names).toEqual(['A', 'B']);
});

test('lines of another form are no GPU', () => {
  expect(parseNvidiaSmi('No devices were found\n')).toEqual([]);
  expect(parseNvidiaSmi('')).toEqual([]);
});

test('it is asked for plain numbers, one line per GPU', () => {
  expect(nvidiaSmiArgs).toEqual([
    '--query-gpu=name,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw',
    '--format=csv,noheader,nounits',
  ]);
});

test('a Mac has none', () => {
  expect(nvidiaSmiPrograms('darwin')).toEqual([]);
  expect(nvidiaSmiPrograms('win32')).toEqual(['nvidia-smi']);
});
