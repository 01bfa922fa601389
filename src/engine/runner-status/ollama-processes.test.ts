import { expect, test } from 'vitest';
import { fakeFiles, fakeMachine, fakeProcesses } from '../testing/fakes.ts';
import { createProcessLister, parsePs, parseWindowsProcesses, programOf } from './ollama-processes.ts';

const row = (pid: number, commandLine: string | null) => ({
  ProcessId: pid,
  ParentProcessId: 4,
  CommandLine: commandLine,
});
const blob = `sha256-${'e9'.repeat(32)}`;

test('on Linux the kernel tells of servers and runners, and of nobody else', async () => {
  const files = fakeFiles({
    '/proc/1/cmdline': '/sbin/init\0',
    '/proc/1/stat': '1 (init) S 0 1 1 0',
    '/proc/70/cmdline': '/usr/local/bin/ollama\0serve\0',
    '/proc/70/stat': '70 (ollama) S 1 70 70 0',
    '/proc/91/cmdline': `/usr/local/lib/ollama/llama-server\0--model\0/my models/${blob}\0--port\x004711\0`,
    '/proc/91/stat': '91 (odd ) name) R 70 70 70 0',
    '/proc/92/cmdline': '',
    '/proc/cpuinfo': 'no process',
  });
  const list = createProcessLister({ machine: fakeMachine(), files, processes: fakeProcesses() });
  expect(await list()).toEqual([
    { pid: 70, parent: 1, program: 'ollama', args: ['serve'] },
    {
      pid: 91,
      parent: 70,
      program: 'llama-server',
      args: ['--model', `/my models/${blob}`, '--port', '4711'],
    },
  ]);
});

test('a process that ends while it is looked at is no process', async () => {
  const files = fakeFiles({ '/proc/70/cmdline': 'ollama\0serve\0' });
  const list = createProcessLister({ machine: fakeMachine(), files, processes: fakeProcesses() });
  expect(await list()).toEqual([]);
});

test("on a Mac a blank in the program's folder is no end of its name", () => {
  const lines = [
    '    1     0 /sbin/launchd',
    '  810     1 /Applications/My Apps/Ollama.app/Contents/Resources/ollama serve',
    `17100   810 /opt/homebrew/Cellar/ollama/0.33.2/libexec/lib/ollama/llama-server --model /Users/a b/${blob} --port 52011`,
    '  901     1 /usr/bin/vim about-ollama',
  ];
  expect(parsePs(`${lines.join('\n')}\n`)).toMatchObject([
    { pid: 810, parent: 1, program: 'ollama', args: ['serve'] },
    { pid: 17_100, program: 'llama-server', args: ['--model', '/Users/a', `b/${blob}`, '--port', '52011'] },
  ]);
});

test('on Windows nothing, one or several rows are understood, and a hidden command line is no process', () => {
  const server = row(8, String.raw`"C:\Users\A B\AppData\Local\Programs\Ollama\ollama.exe" serve`);
  const known = { pid: 8, parent: 4, program: 'ollama', args: ['serve'] };
  expect(parseWindowsProcesses('')).toEqual([]);
  expect(parseWindowsProcesses(JSON.stringify(server))).toEqual([known]);
  expect(parseWindowsProcesses(JSON.stringify([server, row(9, null)]))).toEqual([known]);
  expect(() => parseWindowsProcesses('{"ProcessId":"8"}')).toThrow('Invalid input');
});

test.each([
  ['darwin', '/bin/ps', '  8  1 /usr/local/bin/ollama serve'],
  [
    'win32',
    'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    '{"ProcessId":8,"ParentProcessId":1,"CommandLine":"ollama.exe serve"}',
  ],
] as const)('%s is asked by a program of its own', async (platform, program, output) => {
  const processes = fakeProcesses();
  processes.outputs.set(program, output);
  const list = createProcessLister({ machine: fakeMachine({ platform }), files: fakeFiles(), processes });
  expect(await list()).toEqual([{ pid: 8, parent: 1, program: 'ollama', args: ['serve'] }]);
});

test('only the file name says which program it is', () => {
  expect(programOf(String.raw`C:\Ollama\lib\LLAMA-SERVER.EXE`)).toBe('llama-server');
  expect(programOf('/home/ollama/bin/python3')).toBeNull();
});
