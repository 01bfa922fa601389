import type { Collection } from '../../protocol/collection-methods.ts';
import type { McpPrompt, McpResource } from '../../protocol/mcp-offers.ts';
import { composer as text } from '../text.ts';
import { collectionFile, resourceFile } from '../stores/draft-files.ts';
import { earlierMessages, recallStep } from '../stores/recall.ts';
import type { Stores } from '../stores/stores.ts';
import {
  addNews,
  addNotice,
  draftKey,
  requestFocus,
  setDraft,
  setDraftOrigin,
  setRecall,
  type UiStore,
} from '../stores/ui-store.ts';
import { command, type HostConnection } from './command.ts';
import { createDraftUploads } from './draft-uploads.ts';
import type { PageFiles } from './page-files.ts';
import type { FormValues } from '../../protocol/form-question.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import { bytesOf } from './attached-files.ts';
import { saveFile } from './save-file.ts';

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
    /** Words of the draft as a file: they stay where they are until it is there. */
    'composer/attach-words': command<{ words: string }>({
      run: ({ words }) => {
        const file = new File([words], text.pasted.name, { type: 'text/plain' });
        const added = uploads.add(openDraft(), [file], words);
        // The button that was pressed is gone.
        requestFocus(ui, 'composer');
        return added;
      },
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

/** Prompts of servers: filled in, and put into the message box. Nothing is sent before the person sends it. */
export function createPromptCommands(host: HostConnection, ui: UiStore) {
  const fill = async (draft: string, { server, name }: McpPrompt, values: FormValues): Promise<void> => {
    const { text: words, leftOut } = await host.call('mcp/prompt', { server, name, values });
    ui.setState({ promptForm: null });
    if (words === '') return addNotice(ui, text.prompts.empty(server, name), text.prompts.emptyAdvice);
    const written = ui.getState().drafts[draft] ?? '';
    setDraft(ui, draft, written === '' ? words : `${words}\n\n${written}`);
    setDraftOrigin(ui, draft, { server, prompt: name });
    if (leftOut > 0) addNews(ui, text.prompts.leftOut(leftOut));
    if (draft === draftKey(ui.getState().openSessionId)) requestFocus(ui, 'composer');
  };

  return {
    /** Asks for its arguments first, where it takes any. */
    'prompt/begin': command<{ prompt: McpPrompt }>({
      run: async ({ prompt }) => {
        const draft = draftKey(ui.getState().openSessionId);
        if (prompt.fields.length > 0) ui.setState({ promptForm: { draft, prompt } });
        else await fill(draft, prompt, {});
      },
    }),
    'prompt/fill': command<{ values: FormValues }>({
      run: async ({ values }) => {
        const { promptForm } = ui.getState();
        if (promptForm) await fill(promptForm.draft, promptForm.prompt, values);
      },
    }),
    'prompt/leave': command({
      run: () => {
        ui.setState({ promptForm: null });
        requestFocus(ui, 'composer');
      },
    }),
  };
}

/** Looking at the files of a message, sent or not. */
export function createAttachmentCommands(
  ui: UiStore,
  files: PageFiles,
  attached: (attachmentId: string) => Promise<string>,
) {
  return {
    /** At one of `files`; the others are a step away. */
    'attachment/look': command<{ files: readonly Attachment[]; id: string }>({
      run: ({ files: all, id }) =>
        ui.setState({
          looking: {
            files: all,
            at: Math.max(
              0,
              all.findIndex((file) => file.id === id),
            ),
          },
        }),
    }),
    /** To the file before or after it; at the ends it stays. */
    'attachment/step': command<{ by: 1 | -1 }>({
      run: ({ by }) =>
        ui.setState(({ looking }) =>
          looking?.files[looking.at + by] ? { looking: { ...looking, at: looking.at + by } } : {},
        ),
    }),
    'attachment/close': command({ run: () => ui.setState({ looking: null }) }),
    'attachment/save': command<{ file: Attachment }>({
      run: async ({ file: { id, name, mime } }) => {
        await saveFile(files, ui, name, bytesOf(await attached(id)), mime);
      },
    }),
  };
}
