import type { SessionStoreState } from '../stores/session-store.ts';
import { answeredSession } from './answer-fixtures.ts';
import { contentAnswers, contentSession, diagramSession } from './content-fixtures.ts';
import {
  cardsSession,
  extremesSession,
  keysSession,
  manyCallsSession,
  markdownSession,
} from './transcript-fixtures.ts';
import { documentsSession } from './brought-file-fixtures.ts';
import { foldKey } from '../features/transcript/fold-calls.ts';
import { openSession } from './fixtures.ts';
import { lookingSession, steppedSession } from './scope-fixtures.ts';
import { window, type Moment, type Scene } from './scene.tsx';

const open = (...ids: string[]): Record<string, boolean> => Object.fromEntries(ids.map((id) => [id, true]));

/** With pages of the session as they are while it is read. */
const paged = (id: string, moment: Moment, pages: (now: number) => Partial<SessionStoreState>): Scene => {
  const scene = window(id, moment);
  return {
    ...scene,
    world: (now) => {
      const app = scene.world(now);
      app.services.stores.session.setState(pages(now));
      return app;
    },
  };
};

const priced = {
  'turn/price-version': () => ({ price: { model: 'qwen3.8:27b', rereadTokens: 3540, ms: 4320 } }),
};

export const transcriptScenes: Scene[] = [
  window('answer', (now) => ({ session: answeredSession(now) })),
  window('work', (now) => ({ session: answeredSession(now), ui: { expanded: open('work:turn_0') } })),
  window('transcript-cards', (now) => ({
    session: cardsSession(now),
    ui: { expanded: open('item_1', 'item_2', 'item_3', 'item_4') },
  })),
  window('transcript-keys', (now) => ({
    session: keysSession(now),
    ui: { expanded: open('item_1', 'item_2', 'item_3') },
  })),
  window('transcript-exchange', (now) => ({
    session: cardsSession(now),
    ui: { expanded: open('item_4', 'item_5', 'item_6', 'item_6:details') },
  })),
  window('transcript-files', (now) => ({ session: documentsSession(now) })),
  window('transcript-scope', (now) => ({ session: lookingSession(now) })),
  window('transcript-steps', (now) => ({ session: steppedSession(now) })),
  window('transcript-markdown', (now) => ({ session: markdownSession(now) })),
  window('transcript-content', (now) => ({ session: contentSession(now), hostAnswers: contentAnswers })),
  window('transcript-diagrams', (now) => ({ session: diagramSession(now), hostAnswers: contentAnswers })),
  window('transcript-extremes', (now) => ({
    session: extremesSession(now),
    ui: { expanded: open('item_1') },
  })),
  window('transcript-find', (now) => ({
    session: markdownSession(now),
    ui: {
      finding: {
        sessionId: openSession.id,
        query: 'clock',
        hits: ['item_0', 'item_1'],
        complete: true,
        at: 1,
      },
      jump: { sessionId: openSession.id, itemId: 'item_1', words: 'clock' },
    },
  })),
  // What another answer, or another message, would make the model read again.
  window('transcript-regenerate', (now) => ({ session: markdownSession(now), hostAnswers: priced })),
  window('transcript-edit', (now) => ({
    session: markdownSession(now),
    hostAnswers: priced,
    ui: { editing: { turnId: 'turn_0', text: 'Another question' } },
  })),
  // The beginning of a long run of calls, folded; one stretch of it open.
  paged(
    'transcript-folded',
    (now) => ({ session: markdownSession(now), ui: { expanded: open(foldKey('item_40')) } }),
    (now) => {
      const { items, turns } = manyCallsSession(now);
      return { past: { items, turns, hasOlder: false, hasNewer: true }, paging: true };
    },
  ),
  // Being read from the host.
  paged(
    'transcript-loading',
    (now) => ({ session: cardsSession(now) }),
    () => ({ state: null }),
  ),
  // Far from its end: a stretch of it, and the way back.
  paged(
    'transcript-far',
    (now) => ({ session: markdownSession(now), ui: { expanded: open('item_1', 'item_2') } }),
    (now) => {
      const { items, turns } = cardsSession(now);
      return { past: { items, turns, hasOlder: true, hasNewer: true }, paging: true };
    },
  ),
];
