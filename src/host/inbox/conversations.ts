/** The one conversation of each place (B9, B10, X5). */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { SessionSummary } from '../../protocol/model.ts';
import type { Binding } from '../../rules/binding.ts';
import { untitled } from '../sessions/message.ts';
import type { Place } from '../store/place-store.ts';
import type { Store } from '../store/store.ts';

export interface ConversationDeps {
  store: Pick<Store, 'newestSessionAt' | 'setPlace' | 'createSession' | 'transaction' | 'getSession'>;
  clock: Pick<Clock, 'now'>;
  newId: NewId;
  /** A new and empty folder for the session, by its real path: nobody's conversation works in another's. */
  makeFolder: (sessionId: string) => Promise<string>;
  onCreated: (session: SessionSummary) => void;
}

export type PlaceInChannel = Omit<Place, 'part'>;

type WhoseConversation = Pick<Binding, 'isPerPerson' | 'pauseMs'> &
  Partial<Pick<Binding, 'personaId'>> & {
    /** Begins another one, whatever was there. */
    isNew?: boolean;
  };

/** Returns a function that finds the conversation of a place, or begins it; two messages at once begin one. */
export function createConversations({ store, clock, newId, makeFolder, onCreated }: ConversationDeps) {
  return async (
    userId: string,
    at: PlaceInChannel,
    binding: WhoseConversation | undefined,
    profileId: string,
  ): Promise<string> => {
    const whose = binding?.isPerPerson === true ? userId : '';
    const id = newId('ses_');
    const find = (): { sessionId: string | null; part: string } => {
      const newest = store.newestSessionAt({ ...at, part: whose });
      const pauseMs = binding?.isNew ? -Infinity : (binding?.pauseMs ?? Infinity);
      const isOver = newest !== null && clock.now() - newest.updatedAt > pauseMs;
      if (newest && !isOver) return { sessionId: newest.sessionId, part: whose };
      const since = binding?.isNew ? id : String(newest?.updatedAt);
      return { sessionId: null, part: newest ? `${whose} since ${since}` : whose };
    };
    const known = find().sessionId;
    if (known !== null) return known;
    const folder = await makeFolder(id);
    const now = clock.now();
    const session: SessionSummary = {
      id,
      title: untitled,
      workspace: folder,
      profileId,
      model: null,
      pinned: false,
      place: { platform: at.platform, channel: at.channel, thread: at.thread },
      status: 'idle',
      createdAt: now,
      updatedAt: now,
    };
    // Another message may have begun it meanwhile: the row that is there first is the conversation.
    const begun = store.transaction(() => {
      const { sessionId, part } = find();
      if (sessionId !== null) return sessionId;
      store.createSession({ summary: session, workspaceReal: folder, contextUsage: null });
      store.setPlace(id, userId, { ...at, part }, binding?.personaId ?? null);
      return id;
    });
    // As it is listed from now on, with whose it is.
    if (begun === id) onCreated(store.getSession(id)?.summary ?? session);
    return begun;
  };
}
