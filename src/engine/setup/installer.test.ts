import { expect, test } from 'vitest';
import { failureOf, fakeDeps } from '../testing/fakes.ts';
import { setupFolders } from './setup-folders.ts';
import { createInstaller } from './installer.ts';
import { nodeSetupEdges } from './node-edges.ts';
import { releaseFor } from './release.ts';

const report = { phase: () => undefined, progress: () => undefined };

function open(doFetch: typeof fetch, checksums = nodeSetupEdges.checksums) {
  const deps = fakeDeps();
  const files = { ...nodeSetupEdges.files, size: () => Promise.resolve(null) };
  const folders = setupFolders('linux', '/data/engine.json');
  const installer = createInstaller(deps, { ...nodeSetupEdges, files, fetch: doFetch, checksums }, folders);
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

test.each([{}, Object.create({ 'ollama-linux-amd64.tar.zst': 'a'.repeat(64) })])(
  'without a checksum in the source nothing is asked for (audit-S20)',
  async (checksums: Record<string, string>) => {
    const { placed } = open(() => expect.fail('something was asked for'), checksums);
    expect(await placed).toMatchObject({
      code: 'no_checksum',
      message: expect.stringContaining('ollama-linux-amd64.tar.zst'),
      advice: expect.stringContaining('ollama.com/download'),
    });
  },
);
