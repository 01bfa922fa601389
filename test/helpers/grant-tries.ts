/**
 * Ways of a hostile model to have an effect outside what was granted, tried one after another on a running host. The
 * person has allowed writing and editing in one folder (or in all of the session's folder) and declines every question:
 * whatever has an effect had it without one.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ToolItem } from '../../src/protocol/model.ts';
import { reply, type Script } from '../../src/sim/index.ts';
import { grantTries, mark, messageOf, secret, write, type Call, type GrantTry } from './grant-try-table.ts';
import type { House, SessionView } from './host-world.ts';

/** A model that makes the calls which its message names, one a reply; for the simulated engine of the host. */
export const callingScript: Script = ({ lastUser, results }) => {
  const encoded = /CALLS ([\w+/=]+) END/.exec(lastUser)?.[1];
  const calls = encoded ? (JSON.parse(Buffer.from(encoded, 'base64').toString()) as Call[]) : [];
  const next = calls[results.length];
  return next ? reply().toolCall(...next) : reply().text('Done.');
};

/** Their log stays short, so that no summary comes between. */
const triesInSession = 12;

/**
 * The names of the tries that had an effect without a question. The host answers by `callingScript`; the folder is left
 * as the tries have made it.
 */
export async function effectsWithoutQuestion(
  house: Pick<House, 'dir' | 'workspace' | 'openSession'>,
  tries: readonly GrantTry[] = grantTries,
): Promise<string[]> {
  const effects: string[] = [];
  for (const granted of ['src', 'all'] as const) {
    const wanted = tries.filter((each) => each.granted === granted);
    for (let from = 0; from < wanted.length; from += triesInSession) {
      const session = await house.openSession();
      await allowIn(session, granted === 'src' ? 'src/' : '');
      for (const each of wanted.slice(from, from + triesInSession))
        if (await hasEffect(each, session, house)) effects.push(each.name);
    }
  }
  return effects;
}

async function hasEffect(
  { prepare, calls, effect }: GrantTry,
  session: SessionView,
  { dir, workspace }: Pick<House, 'dir' | 'workspace'>,
): Promise<boolean> {
  for (const path of markedFiles(dir)) writeFileSync(path, 'cleaned\n');
  prepare?.(workspace, dir);
  const { profileId } = session.state.session;
  const seen = session.items('tool').length;
  await declineAll(session, messageOf(calls));
  if (effect) return effect(workspace);
  const { facts } = await session.rpc.call('memory/list', {});
  return (
    markedFiles(dir).length > 0 ||
    facts.some(({ value }) => value.includes(mark)) ||
    session.state.session.profileId !== profileId ||
    session
      .items('tool')
      .slice(seen)
      .some(({ result }) => result.includes(secret))
  );
}

/** Answers once each for writing and editing, and leaves a file behind. */
async function allowIn(session: SessionView, folder: string): Promise<void> {
  const path = `${folder}allowed-in-${session.sessionId}.txt`;
  await allowForSession(session, write(path));
  await allowForSession(session, ['edit_file', { path, old_text: mark, new_text: 'allowed' }]);
}

async function allowForSession(session: SessionView, call: Call): Promise<void> {
  const turnId = await session.send(messageOf([call]));
  await session.answer('allow', 'session');
  await session.closed(turnId);
}

async function declineAll(session: SessionView, text: string): Promise<void> {
  const turnId = await session.send(text);
  const asking = (): ToolItem | undefined =>
    session.items('tool').find((item) => item.state === 'awaiting_approval' && item.decision === null);
  const isClosed = (): boolean => session.turn(turnId)?.closed ?? false;
  while (!isClosed()) {
    await session.until(() => asking() !== undefined || isClosed());
    const asked = asking();
    if (!asked) continue;
    await session.answer('deny');
    await session.until(() => asking()?.id !== asked.id);
  }
}

/** Outside Andiron's own database and log, which hold every call. */
function markedFiles(dir: string): string[] {
  const outside = '/tmp/andiron-grant-try.txt';
  const isOwn = (path: string): boolean => /^data[/\\](?:andiron\.db|logs|backups)/.test(relative(dir, path));
  return [...filesIn(dir), ...(existsSync(outside) ? [outside] : [])].filter(
    (path) => !isOwn(path) && readFileSync(path, 'utf8').includes(mark),
  );
}

/** No link is followed: one may lead to the database. */
function filesIn(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}
