import { expect, test } from 'vitest';
import type { McpServerState } from '../../protocol/mcp-methods.ts';
import { createBridge } from './tool-bridge.ts';
import { pinDefinitions } from './definitions.ts';
import type { AllowedCall, Standing } from './servers.ts';

const [pinned] = pinDefinitions([
  { name: 'a.b', description: 'Says words', inputSchema: { type: 'object', required: ['words'] } },
]).tools;
if (!pinned) throw new Error('There is no tool.');

function bridged(state: McpServerState['state'], standing?: Standing) {
  const sent: unknown[] = [];
  const link = {
    state: { state },
    wake: () => Promise.resolve(),
    call: (_tool: unknown, args: unknown) => Promise.resolve({ content: [], sent: sent.push(args) }),
  } as unknown as AllowedCall['link'];
  const found: AllowedCall = { server: 's', tool: { ...pinned, server: 's', isOn: true } as never, link };
  const asked: string[][] = [];
  const bridge = createBridge({
    wakeAll: () => Promise.resolve(),
    usable: () => [found],
    standing: (...names) => {
      asked.push(names);
      return standing ?? found;
    },
  });
  return { bridge, sent, asked };
}
const { signal } = new AbortController();
const way = { signal, onProgress: () => undefined, ask: null };

test('A tool whose server is not running is not available now', async () => {
  const { bridge } = bridged('failed');
  await expect(bridge.check('s.a', { words: '' }, signal)).rejects.toThrow('is not available now');
});

test('The first dot ends the name of the server', async () => {
  const { bridge, asked } = bridged('ready');
  await bridge.check('s.a.b', { words: '' }, signal);
  expect(asked[0]).toEqual(['s', 'a.b']);
});

test('A call is checked once more before it is sent', async () => {
  const { bridge, sent } = bridged('ready');
  await expect(bridge.call('s.a.b', {}, way)).rejects.toThrow('s.a.b was not called');
  expect(sent).toEqual([]);
  await bridge.call('s.a.b', { words: 'x' }, way);
  expect(sent).toEqual([{ words: 'x' }]);
});

test.each([
  ['unknown', 'There is no tool s.a'],
  ['off', 'The person has turned s.a off'],
  ['suspended', 'its server changed it'],
] as const)('A tool that is %s is refused in words', async (standing, words) => {
  const { bridge, sent } = bridged('ready', standing);
  await expect(bridge.call('s.a', { words: '' }, way)).rejects.toThrow(words);
  expect(sent).toEqual([]);
});
