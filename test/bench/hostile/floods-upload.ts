/** Floods of frames and files that come in pieces: sessions, archives, attachments. */
import { z } from 'zod';
import { importFile, upload } from '../../helpers/uploading.ts';
import type { Flood } from './floods-engine.ts';
import { asked } from './floods-person.ts';
import type { Stage } from './stage.ts';

const kB = 1024;
const MB = 1024 * kB;
const words = (size: number): string => 'a line of text, and "more"\n'.repeat(Math.ceil(size / 27));

/** A frame that no window of ours would send; resolves with the code of its refusal, or `taken`. */
async function sendRaw({ app }: Stage, params: unknown): Promise<string> {
  const pipe = app.openPipe();
  const answer = new Promise<unknown>((resolve) => {
    pipe.onFrame((frame) => {
      const { success, data } = responseSchema.safeParse(frame);
      if (success) resolve(data.error?.code ?? 'taken');
    });
  });
  pipe.send({ type: 'request', id: 1, method: 'session/import', params });
  const code = await answer;
  pipe.close();
  return String(code);
}
const responseSchema = z.object({
  type: z.literal('response'),
  error: z.object({ code: z.string() }).optional(),
});

/** A session as a file, with these in it. */
async function sessionFile(
  { window, workspace }: Stage,
  parts: { turns?: unknown[]; items?: unknown[]; context?: unknown[] },
): Promise<string> {
  const { session } = await window.rpc.call('session/create', { workspace });
  const { snapshot } = await window.rpc.call('session/export', { sessionId: session.id });
  return JSON.stringify({ ...z.looseObject({}).parse(snapshot), ...parts });
}

const turn = (place: number): unknown => ({
  id: `turn_${String(place)}`,
  status: 'finished',
  text: 'Go on.',
  profileId: 'developer',
  model: null,
  phase: null,
  phaseSince: null,
  queuedAt: 1,
  startedAt: 1,
  endedAt: 2,
  closed: true,
  iterations: 1,
  usage: [],
});
const answer = (place: number, size: number): unknown => ({
  kind: 'text',
  id: `item_${String(place)}`,
  turnId: `turn_${String(place)}`,
  index: place,
  startedAt: 1,
  completedAt: 2,
  cut: false,
  text: words(size),
});
const message = (place: number, content: string): unknown => ({
  message:
    place % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content, thinking: '', calls: [] },
  turnId: null,
});
const many = (count: number, make: (place: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, place) => make(place));

/** Told as taken only where all of it was. */
async function imported(stage: Stage, file: Uint8Array | string): Promise<void> {
  const { failed } = await importFile(stage.window.rpc, file);
  if (failed) throw new Error(failed.message);
}

export const uploadFloods: readonly Flood[] = [
  asked('a frame of 20 MB', (stage) => sendRaw(stage, { snapshot: 'x'.repeat(20 * MB) })),
  asked('a frame of a million numbers', (stage) => sendRaw(stage, { snapshot: many(1_000_000, () => 1) })),
  asked('2,000 uploads begun at once', async ({ app }) => {
    const { rpc } = app.openWindow();
    await Promise.allSettled(many(2_000, () => rpc.call('upload/begin', {})));
    rpc.close();
  }),
  asked('an upload of 200 MB that is no session', ({ window: { rpc } }) =>
    importFile(rpc, Buffer.alloc(200 * MB, '[[{"a":"b"},1],')),
  ),
  asked('an attachment of 60 MB in pieces', async ({ window: { rpc } }) => {
    const uploadId = await upload(rpc, Buffer.alloc(60 * MB, 'a'));
    await rpc.call('attachment/add-upload', { name: 'big.txt', uploadId });
  }),
  asked('a session of 30,000 turns', async (stage) =>
    imported(
      stage,
      await sessionFile(stage, {
        turns: many(30_000, turn),
        items: many(30_000, (place) => answer(place, 600)),
      }),
    ),
  ),
  asked('a session of 45 MB of messages', async (stage) => {
    const content = words(100 * kB);
    await imported(
      stage,
      await sessionFile(stage, { context: many(400, (place) => message(place, content)) }),
    );
  }),
  asked('a session of 45 MB of answers', async (stage) =>
    imported(
      stage,
      await sessionFile(stage, {
        turns: many(400, turn),
        items: many(400, (place) => answer(place, 100 * kB)),
      }),
    ),
  ),
  asked('an archive of 2,000 sessions', async (stage) => {
    const one = await sessionFile(stage, {});
    await imported(stage, `[${many(2_000, () => one).join(',')}]`);
  }),
];
