/** The third trace of the source documents, word for word: the web is searched, and what was found is written into a file. */
import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { Messenger } from '../helpers/messenger.ts';
import { WebServer } from '../helpers/web/web-server.ts';
import { allowHost, internet, publicAddress } from '../helpers/web/web-world.ts';

let to: Messenger;
let searxng: WebServer;
afterEach(async () => {
  await to.world.close();
  await searxng.close();
});

const links = ['Official tutorial', 'Think Python', 'Real Python'].map((title, at) => ({
  title,
  url: `https://python${String(at + 1)}.example/`,
  content: `${title} teaches Python.`,
}));

it('O3: web_search and create_document, in three iterations with two tools, answered with the file', async () => {
  const queries: string[] = [];
  searxng = await WebServer.start(
    {
      '/search': (request, response) => {
        const { searchParams } = new URL(request.url ?? '', 'http://a');
        queries.push(`${searchParams.get('format') ?? ''}: ${searchParams.get('q') ?? ''}`);
        response.end(JSON.stringify({ results: links }));
      },
    },
    publicAddress,
  );
  const answer = "I've searched for Python tutorials and saved the top 3 links to python_tutorials.md";
  const content = links.map(({ title, url }, at) => `${String(at + 1)}. [${title}](${url})`).join('\n');
  to = await Messenger.start({
    webEdges: internet,
    sim: {
      script: script([
        rule({ user: 'Hi.' }, reply().text('Hi.')),
        rule(
          { resultCount: 0 },
          reply().toolCall('web_search', { query: 'Python tutorials', max_results: 3 }),
        ),
        rule({ resultCount: 1 }, reply().toolCall('create_document', { title: 'Python tutorials', content })),
        rule({}, reply().text(answer)),
      ]),
    },
  });
  await to.rpc.call('web/change', { searxng: searxng.url('/', 'search.example') });
  await to.bind({ modules: ['web', 'files'] });
  await to.send({ text: 'Hi.' });
  await to.makeLevel('42', 'admin');
  await to.rpc.call('profile/update', {
    profileId: 'developer',
    changes: { approvals: 'accept_edits', tools: ['web_search', 'create_document'] },
  });
  const { sessions } = await to.rpc.call('host/subscribe', {});
  const view = await to.world.openWindow().follow(sessions[0]?.id ?? '');

  const answered = to.send({ text: 'Search for Python tutorials and save the top 3 links to a file' });
  // Whoever the answer is for: the owner is asked whether the service may be reached.
  await allowHost(view, 0);
  const response = await answered;

  expect(queries).toEqual(['json: Python tutorials']);
  expect(response).toMatchObject({ content: answer, status: 'answered' });
  expect(response.files).toMatchObject([
    { name: 'python_tutorials.md', url: expect.stringMatching(/\/python_tutorials\.md$/) as unknown },
  ]);
  const turn = view.turn(response.turnId ?? '');
  expect(turn?.iterations).toBe(3);
  // What the window draws as a chip.
  expect(turn?.files).toMatchObject([{ name: 'python_tutorials.md', tool: 'create_document' }]);
  expect(view.items('tool').map(({ tool, state }) => [tool, state])).toEqual([
    ['web_search', 'done'],
    ['create_document', 'done'],
  ]);
  const path = turn?.files?.[0]?.url ?? '';
  expect(await readFile(new URL(path), 'utf8')).toContain('3. [Real Python](https://python3.example/)');
});
