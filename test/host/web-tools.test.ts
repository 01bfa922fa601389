/** Pages and searches inside a turn: what asks, what is offered, what the model and the person get. */
import { afterEach, expect, test } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { allowHost, questions, WebWorld } from '../helpers/web/web-world.ts';
import { page, type Answer } from '../helpers/web/web-server.ts';

let web: WebWorld;
afterEach(() => web.close());

const article = `<html><head><title>Bread</title></head><body><nav>Menu</nav><article><h1>Bread</h1>
<p>${'Mix flour with water and wait a day. '.repeat(12)}</p></article><script>document.write('x')</script></body></html>`;

/** Reads the address that the message names. */
const reads: Script = ({ lastUser, results }) => {
  const url = /read: (\S+)/.exec(lastUser)?.[1];
  if (url === undefined || results.length > 0) return reply().text('Done [1].');
  return reply().toolCall('fetch_url', { url });
};
const searches: Script = script([
  rule({ resultCount: 0 }, reply().toolCall('web_search', { query: 'bread', max_results: 2 })),
  rule({}, reply().text('See [2].')),
]);
/** Reads the second page that it finds. */
const both: Script = ({ results }) => {
  if (results.length === 0) return reply().toolCall('web_search', { query: 'bread' });
  const second = /\[2\][^\n]*\n(\S+)/.exec(results[0] ?? '')?.[1] ?? '';
  return results.length === 1 ? reply().toolCall('fetch_url', { url: second }) : reply().text('Done.');
};
const found: Answer = (request, response) => {
  const query = new URL(request.url ?? '', 'http://a').searchParams;
  const results = ['one', 'two', 'three'].map((name) => ({
    title: `${query.get('q') ?? ''} ${name}`,
    url: `http://${name}.example/`,
    content: `About\n${name}`,
  }));
  response.setHeader('content-type', 'application/json');
  response.end(query.get('format') === 'json' ? JSON.stringify({ results }) : '<html>');
};
const sentTools = (): string[][] =>
  web.world.sim.truth.requests
    .filter(({ endpoint }) => endpoint === '/api/chat')
    .map(({ body }) => (body as { tools?: { function: { name: string } }[] }).tools ?? [])
    .map((tools) => tools.map((tool) => tool.function.name));

test('a page is read after a yes to its host, as text with its number, and shown as a source', async () => {
  web = await WebWorld.start({ '/bread': page(article) }, { sim: { script: reads } });
  const session = await web.session();
  const turnId = await session.send(`read: ${web.url('/bread')}`);
  await allowHost(session, 0);
  await session.closed(turnId);
  const host = `a.example:${String(web.server.port)}`;
  expect(questions(session)).toMatchObject([
    {
      host: { name: host, isPrivate: false, scopes: ['session', 'folder'] },
      sandboxed: false,
      why: 'Andiron reads from the web only where you allow it.',
      reason: 'host',
    },
  ]);
  const [item] = session.items('tool');
  expect(item).toMatchObject({ state: 'done', sandboxed: null });
  expect(item?.result).toMatch(/^\[1\] Bread\nhttp:\/\/a\.example:\d+\/bread\n\n/);
  expect(item?.result).toContain('Mix flour with water');
  expect(item?.result).not.toMatch(/Menu|document\.write/);
  expect(item?.display).toEqual({
    kind: 'sources',
    sources: [{ number: 1, title: 'Bread', url: web.url('/bread') }],
  });
});

test('a no to its host reaches nobody, and the model reads what was said', async () => {
  web = await WebWorld.start({ '/bread': page(article) }, { sim: { script: reads } });
  const session = await web.session();
  const turnId = await session.send(`read: ${web.url('/bread')}`);
  await session.until(() => questions(session).length > 0);
  await session.rpc.call('approval/answer', {
    sessionId: session.sessionId,
    approvalId: questions(session)[0]?.id ?? '',
    decision: 'deny',
    reply: 'Use the book.',
  });
  await session.closed(turnId);
  expect(session.items('tool')[0]?.result).toContain('Use the book.');
  expect(web.server.connections).toBe(0);
});

test('a host that was allowed in the folder asks in no other session, also after a restart', async () => {
  web = await WebWorld.start({ '/bread': page(article) }, { sim: { script: reads } });
  const first = await web.session();
  const turnId = await first.send(`read: ${web.url('/bread')}`);
  await allowHost(first, 0, 'folder');
  await first.closed(turnId);
  await web.world.restartHost();
  const second = await web.session();
  await second.ask(`read: ${web.url('/bread')}`);
  expect(questions(second)).toEqual([]);
  expect(second.items('tool')[0]?.state).toBe('done');
});

test('after a page was read, another host that was allowed asks again in each turn and names the page', async () => {
  web = await WebWorld.start({ '/bread': page(article) }, { sim: { script: reads } });
  const session = await web.session();
  for (const [at, host] of ['a.example', 'b.example'].entries()) {
    const turnId = await session.send(`read: ${web.url('/bread', host)}`);
    await allowHost(session, at, 'folder');
    await session.closed(turnId);
  }
  const turnId = await session.send(`read: ${web.url('/bread', 'a.example')}`);
  await allowHost(session, 2);
  await session.closed(turnId);
  const read = `Asks again because this session has read what it got from b.example:${String(web.server.port)}.`;
  expect(questions(session)[2]?.why).toBe(read);
});

test('an address of this computer says so in its question, and is never allowed for the folder', async () => {
  web = await WebWorld.start({}, { sim: { script: reads } });
  const session = await web.session();
  const turnId = await session.send('read: http://127.0.0.1:9/');
  await allowHost(session, 0);
  await session.closed(turnId);
  expect(questions(session)[0]).toMatchObject({
    host: { name: '127.0.0.1:9', isPrivate: true, scopes: ['session'] },
  });
  expect(session.items('tool')[0]?.state).toBe('failed');
});

test('a session that only plans may read a page', async () => {
  web = await WebWorld.start({ '/bread': page(article) }, { sim: { script: reads } });
  const session = await web.session();
  await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'plan_only' });
  const turnId = await session.send(`read: ${web.url('/bread')}`);
  await allowHost(session, 0);
  await session.closed(turnId);
  expect(session.items('tool')[0]?.state).toBe('done');
});

test('in a session that asks before every tool, a page is one question and not two', async () => {
  web = await WebWorld.start({ '/bread': page(article) }, { sim: { script: reads } });
  const session = await web.session();
  await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'ask' });
  const turnId = await session.send(`read: ${web.url('/bread')}`);
  await allowHost(session, 0);
  await session.closed(turnId);
  expect(questions(session)).toHaveLength(1);
});

test('Stop ends a page that never comes at once', async () => {
  const waiting = Promise.withResolvers<void>();
  const never: Answer = (_request, response) => {
    response.on('close', () => closed.resolve());
    waiting.resolve();
  };
  const closed = Promise.withResolvers<void>();
  web = await WebWorld.start({ '/never': never }, { sim: { script: reads } });
  const session = await web.session();
  const turnId = await session.send(`read: ${web.url('/never')}`);
  await allowHost(session, 0);
  await waiting.promise;
  const begun = performance.now();
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  await closed.promise;
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('web_search is offered once a service is set up, and the head of every other profile stays the same', async () => {
  web = await WebWorld.start({ '/search': found }, { sim: { script: reads } });
  await (await web.session()).ask('Hello.');
  await (await web.world.openSession('developer')).ask('Hello.');
  await web.rpc.call('web/change', { searxng: web.url('/') });
  await (await web.session()).ask('Hello.');
  await (await web.world.openSession('developer')).ask('Hello.');
  const [before, others, after, othersAfter] = sentTools();
  expect(before).toEqual(['fetch_url', 'create_document']);
  expect(after).toEqual(['web_search', 'fetch_url', 'create_document']);
  expect(othersAfter).toEqual(others);
});

test('the settings say that web_search is missing what it needs, and that it costs nothing until then', async () => {
  web = await WebWorld.start({ '/search': found });
  const factsOf = async () =>
    (await web.rpc.call('tool/list', {})).tools.find(({ name }) => name === 'web_search');
  expect(await factsOf()).toMatchObject({ isMissing: true, tokens: 0 });
  await web.rpc.call('web/change', { searxng: web.url('/') });
  expect((await factsOf())?.isMissing).toBeUndefined();
  expect((await factsOf())?.tokens).toBeGreaterThan(40);
});

test('a search asks its service after a yes, and brings as many results as were asked for, numbered', async () => {
  web = await WebWorld.start({ '/search': found }, { sim: { script: searches } });
  await web.rpc.call('web/change', { searxng: web.url('/search') });
  const session = await web.session();
  const turnId = await session.send('Look.');
  await allowHost(session, 0);
  await session.closed(turnId);
  const [item] = session.items('tool');
  expect(item?.result).toBe(
    '[1] bread one\nhttp://one.example/\nAbout one\n\n[2] bread two\nhttp://two.example/\nAbout two',
  );
  expect(item?.display).toMatchObject({ kind: 'sources', sources: [{ number: 1 }, { number: 2 }] });
});

test('a page that a search found keeps its number when it is read in the same turn', async () => {
  const here: Answer = (_request, response) => {
    const results = ['/x', '/bread'].map((path) => ({ title: path, url: web.url(path), content: '' }));
    response.end(JSON.stringify({ results }));
  };
  web = await WebWorld.start({ '/search': here, '/bread': page(article) }, { sim: { script: both } });
  await web.rpc.call('web/change', { searxng: web.url('/') });
  const session = await web.session();
  const turnId = await session.send('Look.');
  await allowHost(session, 0, 'session');
  await session.closed(turnId);
  expect(session.items('tool')[1]?.result).toMatch(/^\[2\] Bread/);
});
