/** Messages of other platforms, and what answers in which place. */
import { AndironError } from '../../protocol/errors.ts';
import type { AgentResponse, IncomingMessage } from '../../protocol/inbox-methods.ts';
import { apiPlatform } from '../../protocol/principal.ts';
import { anyPlatform, bindingFor, type Binding, type BoundPlace } from '../../rules/binding.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Store } from '../store/store.ts';
import { createConversations, type ConversationDeps } from './conversations.ts';
import { receive, type InboxDeps } from './receive.ts';

export interface InboxParts
  extends
    Omit<ConversationDeps, 'store' | 'onCreated'>,
    Pick<InboxDeps, 'people' | 'defaultProfile' | 'log'> {
  store: ConversationDeps['store'] & Pick<Store, 'listBindings' | 'putBinding' | 'removeBinding'>;
  sessions: Pick<SessionManager, 'get' | 'run' | 'publish'>;
  isProfile: (profileId: string) => boolean;
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
    run: (sessionId, text, attachmentIds) => sessions.run(sessionId, text, attachmentIds),
  };
  const profileAt = (binding: Binding | undefined): string => binding?.profileId ?? defaultProfile;
  return {
    receive: (message: IncomingMessage): Promise<AgentResponse> => receive(message, deps),
    /** A new conversation; rejects with `not_found` where there is no such profile. */
    openForProgram(userId: string, tokenId: string, profileId: string): Promise<string> {
      if (!isProfile(profileId)) throw unknownProfile();
      const place = { platform: apiPlatform, server: '', channel: tokenId, thread: newId('thread_') };
      return conversationAt(userId, place, undefined, profileId);
    },
    bindings: (): Binding[] => store.listBindings(),
    /** Throws `invalid_params` for what could never answer. */
    putBinding(binding: Omit<Binding, 'id'>): void {
      if (binding.platform === anyPlatform && binding.server !== '')
        throw new AndironError('invalid_params', 'A server belongs to a platform.', 'Name the platform too.');
      if (!isProfile(binding.profileId)) throw unknownProfile();
      store.putBinding({ ...binding, id: newId('bind_') });
    },
    removeBinding(id: string): void {
      if (!store.removeBinding(id))
        throw new AndironError('not_found', 'This binding is gone already.', 'Look at the list again.');
    },
    /** What a message from there would be answered with. */
    test(place: BoundPlace): { binding: Binding | null; profileId: string } {
      const binding = bindingFor(store.listBindings(), place);
      return { binding: binding ?? null, profileId: profileAt(binding) };
    },
  };
}

const unknownProfile = (): AndironError =>
  new AndironError('not_found', 'This profile does not exist any more.', 'Choose another profile.');
