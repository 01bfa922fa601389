/** A command that the person writes anew before they allow it: what runs, what is kept, what the model is told. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import type { Script } from '../../src/sim/index.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const proposed = 'echo model > out.txt';
const written = 'echo person > out.txt';
/** Replies are used up, so each world has its own. */
const oneCommand = (): Script =>
  sequence(reply().toolCall('run_command', { command: proposed }), reply().text('It is done.'));

async function asked(script: Script = oneCommand()) {
  const world = await World.start({ sim: { script } });
  worlds.push(world);
  const session = await world.openSession();
  const turnId = await session.send('Run it');
  await session.until(() => question(session) !== undefined);
  return { world, session, turnId };
}

const question = (session: SessionView) =>
  session.items('tool').find(({ state, decision }) => state === 'awaiting_approval' && decision === null);

const allow = (session: SessionView, edited: string, scope: 'once' | 'session' = 'once') =>
  session.rpc.call('approval/answer', {
    sessionId: session.sessionId,
    approvalId: question(session)?.approval?.id ?? '',
    decision: 'allow',
    scope,
    edited,
  });

function stored<T>(world: World, sql: string, row: z.ZodType<T>): T[] {
  const database = openDatabase(join(world.dir, 'data', 'andiron.db'));
  try {
    return database.query(sql, row).all();
  } finally {
    database.close();
  }
}

const sentence = `The person changed the command before it ran, to:\n${written}\n\nIts result:\n`;

describe('a command that the person wrote anew', () => {
  it('runs as they wrote it, and the card keeps what the model had asked for', async () => {
    const { world, session, turnId } = await asked();
    expect(question(session)?.approval?.editable).toEqual({ argument: 'command', text: proposed });
    await allow(session, written);
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(await readFile(join(world.workspace, 'out.txt'), 'utf8')).toBe('person\n');
    expect(session.items('tool')[0]).toMatchObject({
      state: 'done',
      args: { command: proposed },
      edited: { argument: 'command', text: written },
      subject: written,
      approval: { summary: written },
      display: { kind: 'command', command: written },
    });
  });

  it('is told to the model at the head of the result, while its own call stays as it made it', async () => {
    const { world, session, turnId } = await asked();
    await allow(session, written);
    await session.closed(turnId);
    const row = z.object({ role: z.string(), body: z.string() });
    const log = stored(world, 'SELECT role, body FROM context ORDER BY position', row);
    const call = log.find(({ role }) => role === 'assistant')?.body;
    const result = log.find(({ role }) => role === 'tool')?.body;
    expect(JSON.parse(call ?? '')).toMatchObject({ calls: [{ args: { command: proposed } }] });
    expect((JSON.parse(result ?? '') as { content: string }).content).toBe(`${sentence}exit code: 0`);
    expect(session.items('tool')[0]?.result).toBe(`${sentence}exit code: 0`);
  });

  it('stands in the journal as it ran, and as allowed once, whatever scope was asked for', async () => {
    const { world, session, turnId } = await asked();
    await allow(session, written, 'session');
    await session.closed(turnId);
    const ran = stored(world, 'SELECT args FROM tool_calls', z.object({ args: z.string() }));
    expect(ran.map(({ args }) => JSON.parse(args) as unknown)).toEqual([{ command: written }]);
    const row = z.object({ body: z.string(), scope: z.string() });
    const [answer] = stored(world, 'SELECT body, scope FROM approvals', row);
    expect(answer?.scope).toBe('once');
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      summary: written,
      editable: { argument: 'command', text: written },
    });
  });

  it.each([
    ['is empty', '   '],
    ['has a character that no command can have', 'echo \0'],
  ])('is refused with the reason when it %s, and the question stays open', async (_, edited) => {
    const { world, session, turnId } = await asked();
    await expect(allow(session, edited)).rejects.toMatchObject({
      code: 'invalid_params',
      message: expect.stringMatching(/^This command cannot run\. /) as string,
    });
    expect(question(session)).toBeDefined();
    expect(existsSync(join(world.workspace, 'out.txt'))).toBe(false);
    await session.answer('deny');
    await session.closed(turnId);
    expect(session.items('tool')[0]).toMatchObject({ state: 'declined', subject: proposed });
  });

  it('is no change when it says what the model had said', async () => {
    const { session, turnId } = await asked();
    await allow(session, proposed);
    await session.closed(turnId);
    expect(session.items('tool')[0]?.edited).toBeUndefined();
    expect(session.items('tool')[0]?.result).toBe('exit code: 0');
  });

  it('keeps its sentence when it is stopped while it runs', async () => {
    const { session, turnId } = await asked();
    await allow(session, 'echo begun; sleep 60');
    await session.until(() => session.items('tool')[0]?.output.includes('begun') ?? false);
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(session.items('tool')[0]?.result).toMatch(
      /^The person changed the command before it ran, to:\necho begun; sleep 60\n.*operation cancelled by user$/s,
    );
  });

  it('runs for a subagent too, in the card of its own', async () => {
    const { world, session, turnId } = await asked(
      sequence(
        reply().toolCall('spawn_agent', { task: 'Write the file', briefing: 'None.' }),
        reply().toolCall('run_command', { command: proposed }),
        reply().text('Written.'),
        reply().text('It is done.'),
      ),
    );
    expect(question(session)?.parentCallId).toBeDefined();
    await allow(session, written);
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(await readFile(join(world.workspace, 'out.txt'), 'utf8')).toBe('person\n');
    const own = session.items('tool').find(({ tool }) => tool === 'run_command');
    expect(own).toMatchObject({ edited: { text: written }, result: `${sentence}exit code: 0` });
  });
});

it('a command with characters that hide something is not offered to be written anew', async () => {
  const { session, turnId } = await asked(
    sequence(reply().toolCall('run_command', { command: 'echo \u202etxt.exe' }), reply().text('Fine.')),
  );
  expect(question(session)?.approval).not.toHaveProperty('editable');
  await expect(allow(session, written)).rejects.toMatchObject({
    code: 'invalid_params',
    advice: expect.stringContaining('Allow it as it is') as string,
  });
  await session.answer('deny');
  await session.closed(turnId);
});

it('a question that was answered meanwhile is told as one, with where its end is seen', async () => {
  const { session, turnId } = await asked();
  const asking = question(session)?.approval?.id ?? '';
  await session.answer('deny');
  await session.closed(turnId);
  const late = {
    sessionId: session.sessionId,
    approvalId: asking,
    decision: 'allow',
    scope: 'once',
  } as const;
  await expect(session.rpc.call('approval/answer', late)).rejects.toMatchObject({
    code: 'not_found',
    advice: expect.stringContaining('Look at the call') as string,
  });
});
