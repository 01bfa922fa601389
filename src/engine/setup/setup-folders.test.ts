import { expect, test } from 'vitest';
import { childEnvironment, personsModels, setupFolders } from './setup-folders.ts';
import { tarTool } from './unpack.ts';

test('on Windows everything lies beside engine.json, in its own spelling', () => {
  const folders = setupFolders('win32', String.raw`C:\Users\Ada\AppData\Local\Andiron\engine.json`);
  const root = String.raw`C:\Users\Ada\AppData\Local\Andiron\ollama`;
  expect(folders.version('0.40.2')).toBe(`${root}\\versions\\0.40.2`);
  expect(folders.draft('0.40.2')).toBe(`${root}\\versions\\.new-0.40.2`);
  expect(folders.file('0.40.2', 'bin/ollama.exe')).toBe(`${root}\\versions\\0.40.2\\bin\\ollama.exe`);
  expect(folders.log).toBe(String.raw`C:\Users\Ada\AppData\Local\Andiron\logs\ollama.log`);
});

test("the person's models are where OLLAMA_MODELS says, or at Ollama's usual place", () => {
  const ada = { platform: 'linux', homeDir: '/home/ada' } as const;
  expect(personsModels({ ...ada, env: {} })).toBe('/home/ada/.ollama/models');
  expect(personsModels({ ...ada, env: { OLLAMA_MODELS: '/big/models' } })).toBe('/big/models');
  expect(personsModels({ ...ada, env: { OLLAMA_MODELS: 'models' } })).toBe('/home/ada/.ollama/models');
  expect(personsModels({ platform: 'win32', homeDir: String.raw`C:\Users\Ada`, env: {} })).toBe(
    String.raw`C:\Users\Ada\.ollama\models`,
  );
});

const own = { port: 40_000, models: '/data/models', home: '/data/home', keepsPartials: false };

test('the child gets its own address, models and home, where the GPU is, and nothing else', () => {
  const env = {
    PATH: '/usr/bin',
    HOME: '/home/ada',
    LD_LIBRARY_PATH: '/usr/lib/wsl/lib',
    CUDA_VISIBLE_DEVICES: '1',
    OLLAMA_HOST: '0.0.0.0',
    OLLAMA_DEBUG: '1',
    AWS_SECRET_ACCESS_KEY: 'secret',
    TMPDIR: undefined,
  };
  expect(childEnvironment({ platform: 'linux', env }, own)).toEqual({
    PATH: '/usr/bin',
    LD_LIBRARY_PATH: '/usr/lib/wsl/lib',
    CUDA_VISIBLE_DEVICES: '1',
    HOME: '/data/home',
    OLLAMA_HOST: '127.0.0.1:40000',
    OLLAMA_MODELS: '/data/models',
    OLLAMA_NO_CLOUD: '1',
  });
});

test("half downloaded models are kept where they are somebody's", () => {
  const env = childEnvironment({ platform: 'linux', env: {} }, { ...own, keepsPartials: true });
  expect(env).toMatchObject({ OLLAMA_NOPRUNE: '1' });
});

test('on Windows variables are kept however they are spelt, and its home has another name', () => {
  const env = {
    Path: String.raw`C:\Windows`,
    SystemRoot: String.raw`C:\Windows`,
    USERPROFILE: 'x',
    Secret: 'y',
  };
  expect(childEnvironment({ platform: 'win32', env }, own)).toEqual({
    Path: String.raw`C:\Windows`,
    SystemRoot: String.raw`C:\Windows`,
    USERPROFILE: '/data/home',
    OLLAMA_HOST: '127.0.0.1:40000',
    OLLAMA_MODELS: '/data/models',
    OLLAMA_NO_CLOUD: '1',
  });
});

test('on Windows and on a Mac the tar of the platform is taken, not one that comes first on the PATH', () => {
  const windows = tarTool({ platform: 'win32', env: { SystemRoot: String.raw`D:\Win`, Path: 'x' } });
  expect(windows).toMatchObject({ command: String.raw`D:\Win\System32\tar.exe`, flavour: 'bsd' });
  expect(tarTool({ platform: 'darwin', env: {} })).toMatchObject({ command: '/usr/bin/tar', flavour: 'bsd' });
});
