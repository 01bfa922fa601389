import { expect, it } from 'vitest';
import { anEngine } from '../../testing/fixtures.ts';
import { diagnosticsOf, sandboxWords, searchPathWords, shortPath } from './diagnostics.ts';

const about = {
  version: '1.2.3',
  platform: 'linux',
  arch: 'x64',
  runtimes: { node: '24.1.0', sqlite: '3.53.0', electron: null, chromium: null },
  dataDir: '/home/noa/.local/share/andiron',
  logsDir: '/home/noa/.local/share/andiron/logs',
  homeDir: '/home/noa',
  searchPath: { source: 'shell' as const, shell: '/bin/zsh', reason: null },
  sandbox: { kind: 'none' as const, problem: 'refused' as const, detail: 'bwrap: /home/noa: no' },
};
const window = { width: 900, height: 600, agent: 'A browser' };

it('tells versions and states, and neither the name in the home folder nor an address', () => {
  const words = diagnosticsOf({
    about,
    commit: 'abc1234',
    host: { connection: 'live', sessions: [1, 2], profiles: [1], problems: [] },
    engine: { connection: 'live', engine: anEngine() },
    window,
  });
  expect(words).toContain('1.2.3, abc1234');
  expect(words).toContain('~/.local/share/andiron');
  expect(words).toContain('900 × 600, A browser');
  expect(words).toContain('none: the sandbox does not start here (bwrap: ~: no)');
  expect(words).not.toMatch(/noa|http|127\.0\.0\.1/);
});

it('says unknown for what nobody told', () => {
  const words = diagnosticsOf({
    about: { ...about, version: null },
    commit: null,
    host: { connection: 'live', sessions: [], profiles: [], problems: [] },
    engine: { connection: 'lost', engine: null },
    window,
  });
  expect(words).toMatch(/^Andiron +unknown$/m);
  expect(words).toMatch(/^Ollama +unknown$/m);
});

it('shortens only what lies in the home folder', () => {
  expect(shortPath('/home/noa/a', '/home/noa')).toBe('~/a');
  expect(shortPath('/home/noa', '/home/noa')).toBe('~');
  expect(shortPath('/home/noah/a', '/home/noa')).toBe('/home/noah/a');
  expect(shortPath('C:\\Users\\noa\\a', 'C:\\Users\\noa')).toBe('~\\a');
  expect(shortPath('/data', null)).toBe('/data');
});

it.each([
  [{ source: 'inherited', shell: null, reason: null }, 'as Andiron was started with'],
  [{ source: 'shell', shell: '/home/noa/bin/zsh', reason: null }, 'from the login shell ~/bin/zsh'],
  [
    { source: 'fallback', shell: '/bin/zsh', reason: 'spawn /home/noa/x ENOENT' },
    'with the usual folders added, because /bin/zsh did not answer: spawn ~/x ENOENT',
  ],
] as const)(
  'The search path of commands is told with where it came from: %j (desk-F4)',
  (searchPath, words) => {
    expect(searchPathWords({ searchPath, homeDir: '/home/noa' })).toBe(words);
  },
);

it.each([
  [{ kind: 'bwrap', version: '0.11.0', hasProxy: true }, /^bubblewrap 0\.11\.0: .* ask for each host$/],
  [
    { kind: 'bwrap', version: '0.11.0', hasProxy: false },
    /^bubblewrap 0\.11\.0: .* without a network \(python3/,
  ],
  [{ kind: 'srt', version: '0.0.83', hasProxy: false }, /^sandbox-runtime 0\.0\.83: .* without a network$/],
] as const)('says of the sandbox %j which one it is and what commands reach', (sandbox, words) => {
  expect(sandboxWords({ sandbox, homeDir: null })).toMatch(words);
});
