/** A message of another platform on its way to the answer: nine steps in this order, each a function (A12). */
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { AgentResponse, IncomingMessage } from '../../protocol/inbox-methods.ts';
import type { Sender } from '../../protocol/model.ts';
import { bindingFor, type Binding } from '../../rules/binding.ts';
import { overBudgetText } from '../../rules/budget.ts';
import type { People } from '../people/people.ts';
import type { RunResult } from '../sessions/run-to-text.ts';
import type { User } from '../store/people-store.ts';
import { early, internalError, toResponse } from './agent-response.ts';
import type { createConversations } from './conversations.ts';
import type { commandIn, RunCommand } from './sender-commands.ts';

export interface InboxDeps {
  people: Pick<People, 'resolve' | 'mayUseTokens'>;
  bindings: () => readonly Binding[];
  /** Of a place for which nobody has chosen one. */
  defaultProfile: string;
  conversationAt: ReturnType<typeof createConversations>;
  /** The profile that answers from now on. */
  setProfile: (sessionId: string, profileId: string) => void;
  run: (
    sessionId: string,
    text: string,
    attachmentIds: readonly string[],
    sender: Sender,
  ) => Promise<RunResult>;
  /** What a message asks for that no model is asked; undefined = it is for the model. */
  commandIn: typeof commandIn;
  runCommand: RunCommand;
  log: Log;
}

interface Answering {
  user: User;
  sessionId: string;
  binding: Binding | undefined;
}

const isBlocked = 'You cannot write here. Please contact whoever runs this Andiron.';

/** Never rejects: whoever brought the message has somebody to answer. */
export async function receive(message: IncomingMessage, deps: InboxDeps): Promise<AgentResponse> {
  try {
    const user = resolveUser(message, deps);
    const refused = refuseBlocked(user) ?? checkBudget(user, deps);
    if (refused) return refused;
    const binding = resolvePersona(message, deps);
    const command = deps.commandIn(message.text);
    const sessionId = await resolveConversation(user, message, binding, {
      ...deps,
      isNew: command === 'new',
    });
    chooseTools({ user, sessionId, binding }, deps);
    const sender = buildContext(user, message, binding);
    if (command) return await deps.runCommand(command, sessionId, sender);
    const attachmentIds = registerAttachments(message);
    return toResponse(sessionId, await deps.run(sessionId, message.text, attachmentIds, sender));
  } catch (error) {
    return toFailure(error, message.platform, deps.log);
  }
}

/** What the sender hears of it; the rest is in the log. */
export function toFailure(error: unknown, platform: string, log: Log): AgentResponse {
  log.error('A message could not be answered', error, { platform });
  const code = error instanceof AndironError ? error.code : 'internal';
  const reason = error instanceof Error ? error.message : String(error);
  return early(internalError, 'failed', { code, message: reason });
}

/** 1. Whom nobody knows is a guest. */
function resolveUser({ platform, platformUserId, userName }: IncomingMessage, { people }: InboxDeps): User {
  return people.resolve({ platform, platformUserId, name: userName });
}

function refuseBlocked({ blockedAt }: User): AgentResponse | null {
  return blockedAt === null ? null : early(isBlocked, 'refused', { code: 'not_allowed', message: isBlocked });
}

/** 2. Before a persona, a conversation or a model. */
function checkBudget({ id }: User, { people }: InboxDeps): AgentResponse | null {
  if (people.mayUseTokens(id)) return null;
  return early(overBudgetText, 'refused', { code: 'over_budget', message: overBudgetText });
}

/** 3. Who answers in that place; undefined = whoever answers in a new session. */
function resolvePersona({ platform, server }: IncomingMessage, { bindings }: InboxDeps): Binding | undefined {
  return bindingFor(bindings(), { platform, server });
}

/** 4. The one of that place, or a new one. */
function resolveConversation(
  user: User,
  message: IncomingMessage,
  binding: Binding | undefined,
  { conversationAt, defaultProfile, isNew }: InboxDeps & { isNew: boolean },
): Promise<string> {
  const { platform, server, channel, thread } = message;
  const { pauseMs = null, personaId = null, profileId = defaultProfile } = binding ?? {};
  const isPerPerson = !isShared(message, binding);
  const place = { platform, server, channel, thread };
  return conversationAt(user.id, place, { isPerPerson, pauseMs, personaId, isNew }, profileId);
}

/** Where nobody else reads, as in a direct message, nothing of anybody else can be read either. */
const isShared = (
  { channel, platformUserId, isDirect }: IncomingMessage,
  binding: Binding | undefined,
): boolean => !isDirect && channel !== '' && channel !== platformUserId && binding?.isPerPerson !== true;

/** 5. The profile is the one that the place has now (Q7); what of its tools this person may use follows at the turn. */
function chooseTools({ sessionId, binding }: Answering, { setProfile, defaultProfile }: InboxDeps): void {
  setProfile(sessionId, binding?.profileId ?? defaultProfile);
}

/** 6. Their bytes came first; the turn takes them. */
const registerAttachments = ({ attachments }: IncomingMessage): readonly string[] => attachments;

/** 7. In a channel where many speak, each message says who. */
const buildContext = ({ id }: User, message: IncomingMessage, binding: Binding | undefined): Sender => ({
  userId: id,
  name: message.userName,
  ...(isShared(message, binding) && { isOneOfMany: true }),
});
