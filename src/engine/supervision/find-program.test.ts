import { expect, test } from 'vitest';
import { fakeMachine } from '../testing/fakes.ts';
import { findProgram } from './find-program.ts';

const onlyThese = (paths: string[]) => (path: string) => Promise.resolve(paths.includes(path));

test('on Linux the first program of the PATH is started with serve', async () => {
  const machine = fakeMachine({ env: { PATH: '/opt/tools:relative:/usr/bin' } });
  const { found } = await findProgram(machine, onlyThese(['/usr/bin/ollama', '/opt/tools/ollama']));
  expect(found).toEqual({
    program: '/opt/tools/ollama',
    launch: { command: '/opt/tools/ollama', args: ['serve'], env: {} },
    hint: 'Run: ollama serve',
  });
});

test('on Linux the usual places count even when the PATH leaves them out', async () => {
  const { found } = await findProgram(fakeMachine({ env: {} }), onlyThese(['/usr/local/bin/ollama']));
  expect(found?.program).toBe('/usr/local/bin/ollama');
});

test('an Ollama that is a system service is not started beside it, because its models are elsewhere', async () => {
  const paths = ['/usr/bin/ollama', '/etc/systemd/system/ollama.service', '/run/systemd/system'];
  const { found } = await findProgram(fakeMachine(), onlyThese(paths));
  expect(found).toMatchObject({ launch: null, hint: expect.stringContaining('systemctl start ollama') });
});

test('a service file without a running systemd is no service', async () => {
  const paths = ['/usr/bin/ollama', '/etc/systemd/system/ollama.service'];
  const { found } = await findProgram(fakeMachine(), onlyThese(paths));
  expect(found?.launch?.args).toEqual(['serve']);
});

test('on a Mac the app is opened hidden, before any program of the command line', async () => {
  const machine = fakeMachine({ platform: 'darwin', homeDir: '/Users/ada' });
  const app = '/Users/ada/Applications/Ollama.app';
  const { found } = await findProgram(machine, onlyThese([app, '/opt/homebrew/bin/ollama']));
  expect(found?.program).toBe(app);
  expect(found?.launch).toEqual({
    command: 'open',
    args: ['-j', '-a', app, '--args', '--fast-startup'],
    env: {},
  });
});

test('on a Mac without the app a program of the command line serves', async () => {
  const machine = fakeMachine({ platform: 'darwin' });
  const { found } = await findProgram(machine, onlyThese(['/opt/homebrew/bin/ollama']));
  expect(found?.launch).toEqual({ command: '/opt/homebrew/bin/ollama', args: ['serve'], env: {} });
});

const local = String.raw`C:\Users\Ada\AppData\Local`;
const windows = (env: Record<string, string>) => fakeMachine({ platform: 'win32', env });

test('on Windows the tray app beside the program is started hidden', async () => {
  const tray = `${local}\\Programs\\Ollama\\ollama app.exe`;
  const paths = [`${local}\\Programs\\Ollama\\ollama.exe`, tray];
  const { found } = await findProgram(windows({ LOCALAPPDATA: local }), onlyThese(paths));
  expect(found?.launch).toEqual({ command: tray, args: ['--hide', '--fast-startup'], env: {} });
});

test('on Windows a program found by the Path (however it is spelt) serves when there is no tray app', async () => {
  const program = String.raw`D:\Tools\ollama.exe`;
  const machine = windows({ LOCALAPPDATA: local, Path: String.raw`C:\Windows;D:\Tools` });
  const { found } = await findProgram(machine, onlyThese([program]));
  expect(found).toMatchObject({ program, launch: { command: program, args: ['serve'] } });
});

test('what is nowhere is absent, and it is said where it was looked for', async () => {
  const search = await findProgram(fakeMachine(), onlyThese([]));
  expect(search.found).toBeNull();
  expect(search.tried).toEqual([
    'ollama on the PATH',
    '/usr/local/bin/ollama',
    '/usr/bin/ollama',
    '/bin/ollama',
  ]);
});
