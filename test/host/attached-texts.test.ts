/** What is in an attached text is put into the message only for a model that has no tool to read it with. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { runTurn } from '../../src/host/loop/run-turn.ts';
import { personMessage } from '../../src/host/prompt/person-message.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { openAttachments } from '../../src/host/attachments/attachments.ts';
import { storeFolder } from '../../src/host/store/testing.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { silentLog } from '../../src/platform/log.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { done, profile, text, TurnWorld } from '../helpers/turn-world.ts';

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads.',
  parameters: z.object({}),
  mutates: false,
  retrySafe: true,
  risk: 'read',
  about: 'outside',
  timeoutMs: 1_000,
  subject: () => '',
  need: () => ({ risk: 'read', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
  execute: async () => ({ ok: true, content: 'milk', display: null }),
});

it.each([
  ['is left to a model that can read it', ['read_file'], false],
  ['goes into the message for a model that cannot', ['echo'], true],
])('An attached text %s (audit-A14)', async (_, tools, isInlined) => {
  const world = new TurnWorld([text('Milk.'), done()]);
  world.moreTools.push(readFile);
  world.active = profile({ tools });
  const asked: boolean[] = [];
  const ports = world.ports();
  const attached = {
    take: async (_files: unknown, inlined: boolean) => {
      asked.push(inlined);
      return [];
    },
    paths: () => [],
  };
  const attachments = [{ id: 'file_1', name: 'a.txt', kind: 'text' as const, mime: 'text/plain', bytes: 4 }];
  const input = {
    sessionId: 's',
    turnId: 't',
    profileId: 'test',
    message: personMessage('Read it'),
    mayPlan: false,
    attachments,
  };
  await runTurn(input, { ...ports, tools: { ...ports.tools, attached } }, world.controller.signal);
  expect(asked).toEqual([isInlined]);
});

it.each([
  ['Windows-1252, as Excel writes a table', Buffer.from('Stra\xdfe;5 \x80\n', 'latin1')],
  ['UTF-16', Buffer.from('\ufeffStraße;5 €\n', 'utf16le')],
])('An attached text in %s reaches a model that cannot read it with a tool', async (_, bytes) => {
  const folder = storeFolder();
  const attachments = await openAttachments({
    store: folder.open(),
    documents: { textOf: () => Promise.resolve('') },
    files: systemFiles,
    dataDir: folder.path,
    clock: skippableClock(),
    newId: () => 'att_1',
    log: silentLog,
  });
  try {
    const attached = await attachments.addBytes('prices.csv', bytes);
    expect(await attachments.take([attached], true)).toMatchObject([{ text: 'Straße;5 €\n' }]);
  } finally {
    attachments.close();
    folder.remove();
  }
});
