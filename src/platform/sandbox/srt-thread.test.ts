import { describe, expect, test } from 'vitest';
import { srtPolicy } from './srt-policy.ts';
import { startSrtThread } from './srt-thread.ts';

const worker = new URL('srt-worker.ts', import.meta.url);
const path = process.env['PATH'] ?? '';
const policy = srtPolicy({ hidden: [], readable: [], writable: [], readOnly: [], masked: [], proxy: null });
const question = { platform: 'darwin', command: ':', bwrap: '', policy };

describe.skipIf(process.platform === 'win32')('the thread of the sandbox runtime', () => {
  test('many at once get each their own line', async () => {
    const thread = await startSrtThread(worker, path);
    const places = ['/a', '/b', '/c'];
    const lines = await Promise.all(
      places.map((place) => {
        const { readConfig, writeConfig } = policy;
        const denied = { ...readConfig, literalDenyOnly: [place] };
        return thread.wrap({ ...question, policy: { readConfig: denied, writeConfig } });
      }),
    );
    expect(lines.map((line) => /file-read\*\s+\(subpath "([^"]+)"/.exec(line)?.[1])).toEqual(places);
    await thread.close();
  });

  test('what the runtime cannot do is said in its own words', async () => {
    const thread = await startSrtThread(worker, '/nowhere');
    await expect(thread.wrap(question)).rejects.toThrow("Shell '/bin/sh' not found");
    await thread.close();
  });

  test('a thread that has ended gives no line, whether it was asked before or after', async () => {
    const thread = await startSrtThread(worker, path);
    const asked = thread.wrap(question).catch((error: unknown) => error);
    await thread.close();
    expect(await asked).toMatchObject({ message: expect.stringContaining('has ended') });
    await expect(thread.wrap(question)).rejects.toThrow('has ended');
  });
});
