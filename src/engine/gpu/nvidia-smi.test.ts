import { expect, test } from 'vitest';
import {
  computeAppsArgs,
  nvidiaSmiArgs,
  nvidiaSmiPrograms,
  parseComputeApps,
  parseNvidiaSmi,
} from './nvidia-smi.ts';

const mib = 1024 * 1024;
const plain = (stdout: string) => parseNvidiaSmi(stdout, 'none').map(({ reading }) => reading);

test('one line is one GPU, in bytes, percent, degrees and watts', () => {
  expect(plain('NVIDIA GeForce RTX 4090, 24564, 1320, 37, 41, 123.41\n')).toEqual([
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
  expect(plain('T4, 15360, 0, 0, 30, 9.80')).toMatchObject([{ vramUsedBytes: 0, utilization: 0 }]);
});

test.each(['[N/A]', 'N/A', '[Not Supported]', '[Unknown Error]', ''])('%j is unknown, never 0', (cell) => {
  expect(plain(`GPU, ${cell}, ${cell}, ${cell}, ${cell}, ${cell}`)).toEqual([
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
  const names = plain('A, 1, 1, 1, 1, 1\r\nB, 2, 2, 2, 2, 2\r\n').map(({ name }) => name);
  expect(names).toEqual(['A', 'B']);
});

test.each(['\u0007<x>, 1, 1, 1, 1, 1', 'A, 1, {"b":2}, 1, 1, 1', 'A, \u{fffd}, 1, 1, 1, 1'])(
  'nonsense with the right number of commas is no GPU: %j',
  (line) => {
    expect(plain(line)).toEqual([]);
  },
);

test('lines of another form are no GPU', () => {
  expect(plain('No devices were found\n')).toEqual([]);
  expect(plain('')).toEqual([]);
});

test('it is asked for plain numbers, one line per GPU, and the reasons in the words of its driver', () => {
  const core = '--query-gpu=name,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw';
  const format = '--format=csv,noheader,nounits';
  expect(nvidiaSmiArgs('none')).toEqual([core, format]);
  expect(nvidiaSmiArgs('event')).toEqual([`${core},uuid,clocks_event_reasons.active`, format]);
  expect(nvidiaSmiArgs('throttle')).toEqual([`${core},uuid,clocks_throttle_reasons.active`, format]);
  expect(computeAppsArgs).toEqual(['--query-compute-apps=gpu_uuid,pid,used_memory,process_name', format]);
});

const heldBack = (mask: string) =>
  parseNvidiaSmi(`RTX 4090, 24564, 1, 99, 84, 300, GPU-1f2e, ${mask}`, 'event')[0]?.reading.throttled;

test.each([
  ['0x0000000000000000', []],
  ['0x0000000000000001', []],
  ['0x0000000000000002', []],
  ['0x0000000000000004', ['power']],
  ['0x0000000000000008', ['other']],
  ['0x0000000000000010', ['other']],
  ['0x0000000000000020', ['heat']],
  ['0x0000000000000048', ['heat']],
  ['0x0000000000000080', ['power']],
  ['0x0000000000000064', ['heat', 'power']],
  ['0x8000000000000000', []],
])('%s says why the clock is held back', (mask, reasons) => {
  expect(heldBack(mask)).toEqual(reasons);
});

test.each(['[N/A]', 'Active', '', '4', '0x'])('%j does not say whether it is', (cell) => {
  expect(heldBack(cell)).toBeUndefined();
});

test('neither a hexadecimal nor an endless number is a figure', () => {
  expect(plain('GPU, 0x10, Infinity, NaN, N/A, inf')).toMatchObject([
    { vramTotalBytes: null, vramUsedBytes: null, utilization: null, temperatureC: null, powerW: null },
  ]);
});

/** As published outputs of the query look, with two cards and a program whose path has a comma. */
const apps = `GPU-1f2e, 91, 5242, /usr/local/lib/ollama/llama-server
GPU-1f2e, 4100, 812, /opt/blender, 4.2/blender
GPU-77aa, 91, 1024, /usr/local/lib/ollama/llama-server
`;

test('each process has what it holds of each card', () => {
  expect(parseComputeApps(apps)).toEqual([
    { uuid: 'GPU-1f2e', pid: 91, bytes: 5_242 * mib, program: '/usr/local/lib/ollama/llama-server' },
    { uuid: 'GPU-1f2e', pid: 4_100, bytes: 812 * mib, program: '/opt/blender,4.2/blender' },
    { uuid: 'GPU-77aa', pid: 91, bytes: 1_024 * mib, program: '/usr/local/lib/ollama/llama-server' },
  ]);
});

test('under Windows and WSL the driver does not say what a process holds', () => {
  expect(parseComputeApps('GPU-1f2e, 2936, [N/A], C:\\Ollama\\llama-server.exe\r\n')).toMatchObject([
    { pid: 2_936, bytes: null },
  ]);
});

test('no process is an empty list, and anything else is no list', () => {
  expect(parseComputeApps('\n')).toEqual([]);
  expect(parseComputeApps('RTX 4090, 24564, 1320, 0, 41, 23.4\n')).toBeNull();
  expect(parseComputeApps('Field "gpu_uuid" is not a valid field to query.')).toBeNull();
});

test('a Mac has none', () => {
  expect(nvidiaSmiPrograms('darwin', {})).toEqual([]);
  expect(nvidiaSmiPrograms('linux', {})).toEqual(['nvidia-smi', '/usr/lib/wsl/lib/nvidia-smi']);
});

test('On Windows nvidia-smi is where its driver puts it, or where old drivers did (desk-P16)', () => {
  expect(nvidiaSmiPrograms('win32', { SYSTEMROOT: 'D:\\Win', ProgramFiles: 'E:\\Programs' })).toEqual([
    'D:\\Win\\System32\\nvidia-smi.exe',
    'E:\\Programs\\NVIDIA Corporation\\NVSMI\\nvidia-smi.exe',
  ]);
  expect(nvidiaSmiPrograms('win32', {})).toEqual([
    'C:\\Windows\\System32\\nvidia-smi.exe',
    'C:\\Program Files\\NVIDIA Corporation\\NVSMI\\nvidia-smi.exe',
  ]);
});
