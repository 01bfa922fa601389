import type { Collection } from '../../protocol/collection-methods.ts';
import type { McpResource } from '../../protocol/mcp-offers.ts';
import { composer as text } from '../text.ts';
import { collectionFile, resourceFile } from '../stores/draft-files.ts';
import { earlierMessages, recallStep } from '../stores/recall.ts';
import type { Stores } from '../stores/stores.ts';
import { addNotice, draftKey, requestFocus, setDraft, setRecall } from '../stores/ui-store.ts';
import { command, type HostConnection } from './command.ts';
import { createDraftUploads } from './draft-uploads.ts';
import type { PageFiles } from './page-files.ts';

/** The message box before its message is sent: the files that go with it, and what was said before. */
export function createComposerCommands(host: HostConnection, { ui, session }: Stores, files: PageFiles) {
  const uploads = createDraftUploads(host, ui, files);
  const openDraft = (): string => draftKey(ui.getState().openSessionId);

  const recall = (by: 1 | -1): void => {
    const draft = openDraft();
    const { drafts, recalls } = ui.getState();
    const messages = earlierMessages(session.getState().state);
    const step = recallStep(messages, recalls[draft], drafts[draft] ?? '', by);
    if (!step) return;
    setDraft(ui, draft, step.text);
    setRecall(ui, draft, step.recall);
  };

  return {
    'composer/attach': command({
      keys: 'Alt+U',
      enabled: () => ui.getState().view === 'session',
      run: async () => {
        const chosen = await files.choose();
        await uploads.add(openDraft(), chosen);
        requestFocus(ui, 'composer');
      },
    }),
    'composer/add-files': command<{ files: readonly File[] }>({
      run: ({ files: given }) => uploads.add(openDraft(), given),
    }),
    'composer/add-resource': command<{ resource: McpResource }>({
      run: ({ resource }) => uploads.addLater(openDraft(), resourceFile(resource)),
    }),
    'composer/add-collection': command<{ collection: Pick<Collection, 'id' | 'name'> }>({
      run: ({ collection }) => uploads.addLater(openDraft(), collectionFile(collection)),
    }),
    'composer/remove-file': command<{ key: string }>({
      run: ({ key }) => {
        const removed = uploads.remove(key);
        // The button that was pressed is gone with its file.
        requestFocus(ui, 'composer');
        return removed;
      },
    }),
    'composer/retry-file': command<{ key: string }>({
      run: ({ key }) => {
        const retried = uploads.retry(key);
        // The button that was pressed is gone.
        requestFocus(ui, 'composer');
        return retried;
      },
    }),
    /** Folders cannot be attached; what is in them can be named. */
    'composer/refuse-folder': command<{ name: string }>({
      run: ({ name }) => addNotice(ui, text.files.words.folder(name), text.files.words.folderAdvice),
    }),
    /** A change of a queued message that came too late: below what stands in the box. */
    'composer/rescue': command<{ sessionId: string | null; text: string }>({
      run: ({ sessionId, text: words }) => {
        const draft = draftKey(sessionId);
        const written = ui.getState().drafts[draft] ?? '';
        setDraft(ui, draft, written === '' ? words : `${written}\n\n${words}`);
        if (draft !== openDraft()) return;
        addNotice(ui, text.queued.tooLate, text.queued.tooLateAdvice);
        requestFocus(ui, 'composer');
      },
    }),
    /** To the message before the one in the box, or the one after it. */
    'composer/recall': command<{ by: 1 | -1 }>({ run: ({ by }) => recall(by) }),
  };
}
