import { expect, test } from 'vitest';
import { fakeDeps, fakeMachine, gib } from '../testing/fakes.ts';
import { createLiveGpus } from './live-gpus.ts';
import { nothingLive } from './gpu-reading.ts';

function open(platform: NodeJS.Platform, arch = 'x64') {
  const deps = fakeDeps({ machine: fakeMachine({ platform, arch }) });
  const late: string[] = [];
  const live = createLiveGpus(deps, { holdsModels: () => false, onLate: () => void late.push('late') });
  return { deps, live, late };
}

const arc = { name: 'Arc A770', vramTotalBytes: 16 * gib, ...nothingLive };
const luid = 'luid_0x00000000_0x0000D1A2_phys_0';

function counters(used: number): string {
  return JSON.stringify({
    adapters: [{ Name: luid, DedicatedUsage: used }],
    processes: [{ Name: `pid_91_${luid}`, DedicatedUsage: used - 1 }],
  });
}

const row = (pid: number, parent: number, line: string) => ({
  ProcessId: pid,
  ParentProcessId: parent,
  CommandLine: line,
});

/** PowerShell is asked for the counters and for Ollama's processes. */
function powershell(used: number) {
  const table = JSON.stringify([row(70, 1, 'ollama.exe serve'), row(91, 70, 'llama-server.exe --port 1')]);
  return (args: readonly string[]) => (args.at(-1)?.includes('Win32_Process') ? table : counters(used));
}

test('on Windows a card of any maker has its use, and what models hold of it', async () => {
  const { deps, live } = open('win32');
  const answer = powershell(9_000);
  let asked = 0;
  deps.processes.run = async (program, args) => {
    if (program !== 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
      throw Object.assign(new Error(program), { code: 'ENOENT' });
    asked += 1;
    return answer(args);
  };
  await live.refresh();
  expect(live.readings([arc])).toEqual([{ ...arc, vramUsedBytes: 9_000, vramModelBytes: 8_999 }]);
  await live.refresh();
  expect(asked).toBe(2);
  await deps.clock.advance(10_000);
  await live.refresh();
  expect(asked).toBe(3);
});

test('a slow PowerShell is not waited for, and its answer is told when it comes', async () => {
  const { deps, live, late } = open('win32');
  const slow = Promise.withResolvers<string>();
  deps.processes.outputs.set(
    'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    () => slow.promise,
  );
  const refreshed = live.refresh();
  await deps.clock.advance(2_000);
  await refreshed;
  expect(live.readings([arc])).toEqual([]);
  slow.resolve(counters(5));
  await deps.clock.advance(0);
  expect(late).toEqual(['late']);
  expect(live.readings([arc])).toMatchObject([{ vramUsedBytes: 5 }]);
});

test("a Mac's GPU shares the main memory on Apple silicon alone", async () => {
  const node =
    '+-o A  <class A>\n "PerformanceStatistics" = {"In use system memory"=7}\n "model" = "Apple M4"\n';
  for (const [arch, total] of [
    ['arm64', 48 * gib],
    ['x64', null],
  ] as const) {
    const { deps, live } = open('darwin', arch);
    deps.processes.outputs.set('/usr/sbin/ioreg', node);
    await live.refresh();
    expect(live.readings([])).toMatchObject([{ name: 'Apple M4', vramTotalBytes: total }]);
  }
});

test('a Mac whose registry does not answer has no live card', async () => {
  const { live } = open('darwin');
  await live.refresh();
  expect(live.readings([arc])).toEqual([]);
});
