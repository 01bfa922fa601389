import { expect, test } from 'vitest';
import { failureOf, fakeDeps } from '../testing/fakes.ts';
import { setupFolders } from './folders.ts';
import { createInstaller } from './installer.ts';
import { nodeSetupEdges } from './node-edges.ts';
import { releaseFor } from './release.ts';

const report = { phase: () => undefined, progress: () => undefined };

function open(doFetch: typeof fetch) {
  const deps = fakeDeps();
  const files = { ...nodeSetupEdges.files, size: () => Promise.resolve(null) };
  const folders = setupFolders('linux', '/data/engine.json');
  const installer = createInstaller(deps, { ...nodeSetupEdges, files, fetch: doFetch }, folders);
  const release = releaseFor({ platform: 'linux', arch: 'x64' }, 'https://releases.example');
  if (!release) throw new Error('Linux has a release.');
  const placed = failureOf(installer.place(release, report, new AbortController().signal));
  return { placed, clock: deps.clock };
}

test('a server that accepts and says nothing is given up before the download begins', async () => {
  const { placed, clock } = open(
    (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  await clock.advance(31_000);
  expect(await placed).toMatchObject({ code: 'offline' });
});

test('a list of checksums that never ends is none', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(Buffer.alloc(64 * 1024, 97));
    },
  });
  const { placed } = open(() => Promise.resolve(new Response(endless)));
  expect(await placed).toMatchObject({ code: 'no_checksum' });
  expect(sent).toBeLessThan(20);
});

test('a page that is no list is none, whatever its status says', async () => {
  const { placed } = open(() => Promise.resolve(new Response('<html>Sign in to this network</html>')));
  expect(await placed).toMatchObject({ code: 'no_checksum', message: expect.stringContaining('200') });
});
