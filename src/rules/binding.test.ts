import { expect, test } from 'vitest';
import { bindingFor, type Binding } from './binding.ts';
import { mayUseTool } from './tool-levels.ts';
import { levels } from '../protocol/principal.ts';
import { toolModules } from '../protocol/tools.ts';

const binding = (platform: string, server: string): Binding => ({
  id: `${platform}/${server}`,
  platform,
  server,
  profileId: 'p',
  personaId: null,
  model: null,
  maxOutputTokens: null,
  modules: null,
  hasBadModules: false,
  isPerPerson: false,
  pauseMs: null,
});
const all = [binding('', ''), binding('telegram', ''), binding('telegram', 's'), binding('webhook', 's')];

test.each([
  ['of its server', 'telegram', 's', 'telegram/s'],
  ['of its platform, where its server has none', 'telegram', 't', 'telegram/'],
  ['of its platform, where it has no server', 'telegram', '', 'telegram/'],
  ['of all, where its platform has only one for another server', 'webhook', 't', '/'],
  ['of all, where nobody has chosen any', 'matrix', 's', '/'],
])('A message is answered by the binding %s (B7)', (_which, platform, server, id) => {
  expect(bindingFor(all, { platform, server })?.id).toBe(id);
});

test('A message without a server is never answered as one of a server with an empty name (B7)', () => {
  expect(bindingFor([binding('telegram', 's')], { platform: 'telegram', server: '' })).toBeUndefined();
  expect(bindingFor([], { platform: 'telegram', server: 's' })).toBeUndefined();
});

const tools = Object.keys(toolModules);
const usable = (level: (typeof levels)[number], modules: readonly string[] | 'all' = 'all'): string[] =>
  tools.filter((tool) => mayUseTool({ level, modules }, tool));

test('Each level may use all that a lower one may, and the owner all (B12)', () => {
  const counts = levels.map((level) => usable(level));
  for (const [at, higher] of counts.slice(1).entries())
    expect(higher).toEqual(expect.arrayContaining(counts[at] ?? []));
  expect(counts.at(-1)).toEqual(tools);
});

test('No level below the owner runs a command, and none below an administrator changes a file (X2)', () => {
  for (const level of levels.slice(0, 3)) expect(usable(level)).not.toContain('run_command');
  for (const level of levels.slice(0, 2))
    expect(usable(level).filter((tool) => /^(write|edit)_/.test(tool))).toEqual([]);
  expect(usable('guest').filter((tool) => toolModules[tool as keyof typeof toolModules] === 'files')).toEqual(
    [],
  );
});

test('Only tools of the modules are usable, and one that nobody knows is the owner’s (B11)', () => {
  expect(usable('owner', ['files'])).not.toContain('todo');
  expect(usable('user', ['work'])).toEqual(['todo', 'scratchpad']);
  expect(usable('user', [])).toEqual([]);
  expect(mayUseTool({ level: 'admin', modules: 'all' }, 'browse_web')).toBe(false);
  expect(mayUseTool({ level: 'owner', modules: 'all' }, 'browse_web')).toBe(true);
  expect(mayUseTool({ level: 'admin', modules: 'all' }, 'constructor')).toBe(false);
});

test('What servers bring is for the owner alone, and for a program only with its module (X8)', () => {
  const bridge = ['tool_search', 'tool_call'];
  for (const level of levels.slice(0, 3)) expect(usable(level, ['mcp'])).toEqual([]);
  expect(usable('owner', ['mcp'])).toEqual(bridge);
  expect(usable('owner', ['files'])).not.toEqual(expect.arrayContaining(bridge));
});
