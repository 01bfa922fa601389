/** Messages of other platforms, and what answers in which place. */
import { AndironError } from '../../protocol/errors.ts';
import type { AgentResponse, IncomingMessage } from '../../protocol/inbox-methods.ts';
import { apiPlatform } from '../../protocol/principal.ts';
import { toolModules } from '../../protocol/tools.ts';
import { anyPlatform, bindingFor, type Binding, type BoundPlace } from '../../rules/binding.ts';
import { placeInLine } from '../../rules/place-in-line.ts';
import type { People } from '../people/people.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Persona } from '../store/persona-store.ts';
import type { Store } from '../store/store.ts';
import { createConversations, type ConversationDeps } from './conversations.ts';
import { createIncomingMessages, type IncomingMessagesDeps } from './incoming-messages.ts';
import { commandIn, createSenderCommands } from './sender-commands.ts';
import { receive, type InboxDeps } from './receive.ts';

export interface InboxParts
  extends
    Omit<ConversationDeps, 'store' | 'onCreated'>,
    Pick<InboxDeps, 'defaultProfile' | 'log'>,
    Pick<IncomingMessagesDeps, 'isRepeatable'> {
  people: InboxDeps['people'] & Pick<People, 'get'>;
  store: ConversationDeps['store'] &
    IncomingMessagesDeps['store'] &
    Pick<
      Store,
      'listBindings' | 'putBinding' | 'removeBinding' | 'listPersonas' | 'putPersona' | 'removePersona'
    >;
  sessions: Pick<SessionManager, 'get' | 'run' | 'rejoin' | 'publish' | 'compact'>;
  isProfile: (profileId: string) => boolean;
}

/** As somebody chose it. */
type NewBinding = Omit<Binding, 'id' | 'hasBadModules'>;

interface ProgramMessage {
  text: string;
  sessionId?: string | undefined;
  thread?: string | undefined;
}

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(parts: InboxParts) {
  const { store, sessions, defaultProfile, newId, isProfile } = parts;
  const conversationAt = createConversations({
    ...parts,
    onCreated: (session) => sessions.publish({ type: 'session/upserted', session }),
  });
  const deps: InboxDeps = {
    ...parts,
    bindings: () => store.listBindings(),
    conversationAt,
    setProfile(sessionId, profileId) {
      const session = sessions.get(sessionId);
      if (session.summary.profileId !== profileId) session.change({ profileId });
    },
    run: (sessionId, text, attachmentIds, sender) => sessions.run(sessionId, text, attachmentIds, { sender }),
    commandIn,
    runCommand: createSenderCommands(sessions),
  };
  const changed = (): void => sessions.publish({ type: 'bindings/changed' });
  const profileAt = (binding: Binding | undefined): string => binding?.profileId ?? defaultProfile;
  const { people } = parts;
  const incoming = createIncomingMessages({
    ...parts,
    receive: (message, run) => receive(message, { ...deps, run }),
    run: (sessionId, text, attachmentIds, sender, turnId) =>
      sessions.run(sessionId, text, attachmentIds, { sender, turnId }),
    rejoin: (sessionId, turnId) => sessions.rejoin(sessionId, turnId),
    ahead: (sessionId, turnId) => placeInLine(sessions.get(sessionId).state.turns, turnId),
  });
  return {
    /** Messages of bridges, each answered once. */
    incoming,
    receive: (message: IncomingMessage): Promise<AgentResponse> => receive(message, deps),
    /** From the person for whom the program speaks, to one of its own conversations. The signal stops the turn. */
    receiveOfProgram(
      { userId, tokenId }: { userId: string; tokenId: string },
      { text, sessionId, thread = '' }: ProgramMessage,
      signal: AbortSignal,
    ): Promise<AgentResponse> {
      const place = { platform: apiPlatform, server: '', channel: tokenId, thread };
      const sender = { platformUserId: userId, userName: '', isDirect: true };
      const message = { ...place, ...sender, text, attachments: [] };
      return receive(message, {
        ...deps,
        people: { ...people, resolve: () => people.get(userId) },
        // It has other ways to ask for that.
        commandIn: () => undefined,
        run: (id, words, attachmentIds, speaker) =>
          sessions.run(id, words, attachmentIds, { sender: speaker, signal }),
        ...(sessionId !== undefined && {
          conversationAt: () => Promise.resolve(sessionId),
          // The program has chosen it when it began the conversation.
          setProfile: () => undefined,
        }),
      });
    },
    /** A new conversation; rejects with `not_found` where there is no such profile. */
    openForProgram(userId: string, tokenId: string, profileId: string): Promise<string> {
      if (!isProfile(profileId)) throw unknownProfile();
      const place = { platform: apiPlatform, server: '', channel: tokenId, thread: newId('thread_') };
      return conversationAt(userId, place, undefined, profileId);
    },
    bindings: (): Binding[] => store.listBindings(),
    /** Throws `invalid_params` for what could never answer. */
    putBinding(binding: NewBinding): void {
      refuseUnusable(binding);
      if (!isProfile(binding.profileId)) throw unknownProfile();
      if (binding.personaId !== null && !store.listPersonas().some(({ id }) => id === binding.personaId))
        throw unknownPersona();
      store.putBinding({ ...binding, id: newId('bind_') });
      changed();
    },
    close: () => incoming.close(),
    removeBinding(id: string): void {
      if (!store.removeBinding(id))
        throw new AndironError('not_found', 'This binding is gone already.', 'Look at the list again.');
      changed();
    },
    /** What a message from there would be answered with. */
    test(place: BoundPlace): { binding: Binding | null; profileId: string } {
      const binding = bindingFor(store.listBindings(), place);
      return { binding: binding ?? null, profileId: profileAt(binding) };
    },
    personas: (): Persona[] => store.listPersonas(),
    /** Without an id a new one. Conversations that have it send its new text from their next message on. */
    putPersona({ id, name, text }: Pick<Persona, 'name' | 'text'> & { id: string | null }): Persona {
      const known = store.listPersonas();
      if (known.some((each) => each.name === name && each.id !== id))
        throw new AndironError(
          'invalid_params',
          `There is a persona ${name} already.`,
          'Choose another name.',
        );
      const before = known.find((each) => each.id === id);
      if (id !== null && !before) throw unknownPersona();
      const persona = before
        ? { ...before, name, text }
        : { id: newId('persona_'), name, text, createdAt: parts.clock.now() };
      store.putPersona(persona);
      changed();
      return persona;
    },
    removePersona(id: string): void {
      if (!store.removePersona(id)) throw unknownPersona();
      changed();
    },
  };
}

const unknownProfile = (): AndironError =>
  new AndironError('not_found', 'This profile does not exist any more.', 'Choose another profile.');
const unknownPersona = (): AndironError =>
  new AndironError('not_found', 'This persona does not exist any more.', 'Choose another persona.');

function refuseUnusable({ platform, server, modules }: NewBinding): void {
  if (platform === anyPlatform && server !== '')
    throw new AndironError('invalid_params', 'A server belongs to a platform.', 'Name the platform too.');
  const known = new Set<string>(Object.values(toolModules));
  const unknown = modules?.find((each) => !known.has(each));
  if (unknown !== undefined)
    throw new AndironError(
      'invalid_params',
      `There are no tools called ${unknown}.`,
      `Choose from ${[...known].join(', ')}.`,
    );
}
