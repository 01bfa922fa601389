/** What programs with a token ask for. Without one nobody has anything here. */
import { AndironError } from '../../protocol/errors.ts';
import type { programMethods, ProgramSession } from '../../protocol/program-methods.ts';
import type { Principal } from '../../protocol/principal.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { UsageSpan, UsageSums } from '../../protocol/usage-methods.ts';
import type { FileChanges } from '../file-changes/file-changes.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Profiles } from '../profiles/profiles.ts';

/** Of one token each. */
export interface ProgramData {
  programSessions(tokenId: string, limit: number, after: string | undefined): ProgramSession[];
  programSession(tokenId: string, sessionId: string): ProgramSession | null;
  programSessionsEnding(tokenId: string, profileId: string, texts: readonly string[]): string[];
  programTurn(tokenId: string, turnId: string): FoundTurn | null;
  programFile(tokenId: string, fileId: string): string | null;
  usageOfProgram(tokenId: string, span: UsageSpan): UsageSums;
}

interface FoundTurn {
  sessionId: string;
  profileId: string;
  isNewest: boolean;
}

export interface ProgramHandlerDeps {
  data: ProgramData;
  inbox: Pick<Inbox, 'openForProgram' | 'receiveOfProgram'>;
  profiles: Pick<Profiles, 'state'>;
  files: Pick<FileChanges, 'readResult'>;
}

export function programHandlers({
  data,
  inbox,
  profiles,
  files,
}: ProgramHandlerDeps): Handlers<typeof programMethods> {
  return {
    'program/profiles': () => ({
      profiles: profiles.state().profiles.map(({ id, name }) => ({ id, name })),
    }),
    'program/open-session': async ({ profileId }, { principal }) => ({
      sessionId: await inbox.openForProgram(principal.userId, tokenOf(principal), profileId),
    }),
    'program/sessions': ({ limit, after }, { principal }) => {
      // One more than asked tells whether there are more.
      const found = data.programSessions(tokenOf(principal), limit + 1, after);
      return { sessions: found.slice(0, limit), hasMore: found.length > limit };
    },
    'program/session': ({ sessionId }, { principal }) => ({
      session: found(data.programSession(tokenOf(principal), sessionId)),
    }),
    'program/find-sessions': ({ profileId, newestTexts }, { principal }) => ({
      sessionIds: data.programSessionsEnding(tokenOf(principal), profileId, newestTexts),
    }),
    'program/find-turn': ({ turnId }, { principal }) => found(data.programTurn(tokenOf(principal), turnId)),
    'program/receive': async (message, { principal, signal }) => {
      const from = { userId: principal.userId, tokenId: tokenOf(principal) };
      const response = await inbox.receiveOfProgram(from, message, signal);
      // What went wrong in here is for the log; a program gets the words for the sender.
      const error = response.error && { code: response.error.code, message: response.content };
      return { ...response, error };
    },
    'program/usage': (span, { principal }) => ({ totals: data.usageOfProgram(tokenOf(principal), span) }),
    'program/read-file': async ({ fileId }, { principal }) => {
      const sessionId = found(data.programFile(tokenOf(principal), fileId));
      const { name, mime, bytes } = await files.readResult(sessionId, fileId);
      return { name, mime, data: Buffer.from(bytes).toString('base64') };
    },
  };
}

function tokenOf({ tokenId }: Principal): string {
  if (tokenId !== null) return tokenId;
  throw new AndironError('invalid_params', 'This is for programs with a token.', 'Ask for it as yourself.');
}

function found<T>(value: T | null): T {
  if (value !== null) return value;
  throw new AndironError('not_found', 'This does not exist any more.', 'Look at the list again.');
}
