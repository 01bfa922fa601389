import { expect, test } from 'vitest';
import { chooseHost, orderHosts, reportHosts, type ProbedHost } from './host-order.ts';

const usual = 'http://127.0.0.1:11434';
const none = { only: null, environment: undefined, list: [], own: null };
const running = { kind: 'running', version: '0.40.2' } as const;
const nobody = { kind: 'nobody' } as const;

const hosts = (a: ProbedHost['result'], b: ProbedHost['result']): ProbedHost[] => [
  { url: 'http://a:1', origin: 'list', result: a },
  { url: 'http://b:2', origin: 'default', result: b },
];

test('OLLAMA_HOST, the list, our own, the usual address: in this order', () => {
  const places = orderHosts({
    only: null,
    environment: 'gpu.lan',
    list: ['http://a:1'],
    own: 'http://127.0.0.1:40000',
  });
  expect(places).toEqual([
    { url: 'http://gpu.lan:11434', origin: 'environment' },
    { url: 'http://a:1', origin: 'list' },
    { url: 'http://127.0.0.1:40000', origin: 'own' },
    { url: usual, origin: 'default' },
  ]);
});

test('an address that is named twice keeps its first place', () => {
  expect(orderHosts({ ...none, environment: 'localhost', list: [usual, 'http://a:1'] })).toEqual([
    { url: usual, origin: 'environment' },
    { url: 'http://a:1', origin: 'list' },
  ]);
});

test('an empty OLLAMA_HOST names nothing', () => {
  expect(orderHosts({ ...none, environment: ' ' })).toEqual([{ url: usual, origin: 'default' }]);
});

test('the only address is the only one', () => {
  expect(orderHosts({ ...none, only: 'http://x:9', list: ['http://a:1'] })).toEqual([
    { url: 'http://x:9', origin: 'list' },
  ]);
});

test('the first that answers is used', () => {
  expect(chooseHost(hosts(nobody, running), null, true)?.url).toBe('http://b:2');
  expect(chooseHost(hosts(running, running), null, true)?.url).toBe('http://a:1');
  expect(chooseHost(hosts(nobody, nobody), null, true)).toBeUndefined();
});

test('while the GPU is in use the one in use stays, unless it went away', () => {
  expect(chooseHost(hosts(running, running), 'http://b:2', false)?.url).toBe('http://b:2');
  expect(chooseHost(hosts(running, running), 'http://b:2', true)?.url).toBe('http://a:1');
  expect(chooseHost(hosts(running, nobody), 'http://b:2', false)?.url).toBe('http://a:1');
});

test('each is told with its standing and, where it answers, its version', () => {
  expect(reportHosts(hosts(running, running), 'http://b:2')).toEqual([
    { url: 'http://a:1', origin: 'list', standing: 'answers', version: '0.40.2' },
    { url: 'http://b:2', origin: 'default', standing: 'in_use', version: '0.40.2' },
  ]);
  expect(
    reportHosts(hosts({ kind: 'wrong', message: 'x' }, { kind: 'silent' }), null).map(
      (each) => each.standing,
    ),
  ).toEqual(['wrong', 'silent']);
});
