/** The files of messages that are being written, on their way to the host. */
import { composer as text } from '../text.ts';
import { maxPictureSide, maxAttachmentBytes, maxAttachments } from '../../protocol/attachment-limits.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import { maxPieceBytes } from '../../protocol/limits.ts';
import { fitting, readyFile, withFile, type DraftFile, type Refusal } from '../stores/draft-files.ts';
import { addNotice, setDraft, setDraftFiles, type UiStore } from '../stores/ui-store.ts';
import type { HostConnection } from './command.ts';
import { wordsOf } from './error-words.ts';
import type { PageFiles } from './page-files.ts';
import { base64Of, upload } from './upload.ts';

type Waiting = Extract<DraftFile, { source: File }>;

export function createDraftUploads(host: HostConnection, ui: UiStore, files: Pick<PageFiles, 'reduce'>) {
  let made = 0;

  const filesIn = (draft: string): DraftFile[] => ui.getState().draftFiles[draft] ?? [];

  /** Looked for in every draft: a first message takes its files to the session that it makes. */
  const find = (key: string): { draft: string; file: DraftFile } | null => {
    for (const [draft, all] of Object.entries(ui.getState().draftFiles)) {
      const file = all.find((each) => each.key === key);
      if (file) return { draft, file };
    }
    return null;
  };

  const become = (file: DraftFile): boolean => {
    const changed = withFile(ui.getState().draftFiles, file);
    if (changed) ui.setState({ draftFiles: changed });
    return changed !== null;
  };

  const takeAway = (key: string): DraftFile | null => {
    const found = find(key);
    if (!found) return null;
    setDraftFiles(
      ui,
      found.draft,
      filesIn(found.draft).filter((file) => file.key !== key),
    );
    return found.file;
  };

  /** The words are a file now. */
  const takeOut = (key: string, words: string): void => {
    const draft = find(key)?.draft;
    if (draft !== undefined) setDraft(ui, draft, without(ui.getState().drafts[draft] ?? '', words));
  };

  const send = async ({ key, name, bytes, source, words }: Waiting): Promise<void> => {
    try {
      const smaller = (await files.reduce?.(source, maxPictureSide)) ?? null;
      const sent = smaller?.file ?? source;
      if (sent.size > maxAttachmentBytes) {
        takeAway(key);
        reportRefused(ui, [{ file: source, why: 'too_large' }]);
        return;
      }
      const attachment = await give(host, { name, sent }, () => find(key) !== null);
      if (attachment === null) return;
      const reduced = smaller ? { bytes, width: smaller.width, height: smaller.height } : undefined;
      if (become({ ...readyFile(attachment, reduced), key })) {
        if (words !== undefined) takeOut(key, words);
        return;
      }
      // It was taken away while it was on its way.
      await forget(attachment.id);
    } catch (error) {
      become({
        key,
        name,
        bytes,
        state: 'failed',
        source,
        ...(words !== undefined && { words }),
        ...wordsOf(error),
      });
    }
  };

  /** What the host keeps of a draft goes by itself after a day: a failure loses nothing. */
  const forget = async (attachmentId: string): Promise<void> => {
    await host.call('attachment/remove', { attachmentId }).catch(() => undefined);
  };

  const add = async (draft: string, chosen: readonly File[], words?: string): Promise<void> => {
    const { taken, refused } = fitting(chosen, filesIn(draft).length);
    reportRefused(ui, refused);
    const added = taken.map((source) => {
      made += 1;
      return {
        key: `file-${made}`,
        name: nameOf(source),
        bytes: source.size,
        state: 'uploading',
        source,
        ...(words !== undefined && { words }),
      } as const;
    });
    setDraftFiles(ui, draft, [...filesIn(draft), ...added]);
    // One after the other: ten at once would hold ten times the memory.
    for (const file of added) await send(file);
  };

  return {
    /** What does not fit is refused in words. `words` stay in the draft until the file that is made of them is there. */
    add,
    /** What the host reads when the message is sent: once, whatever is written. */
    addLater: (draft: string, file: DraftFile): void => {
      const there = filesIn(draft);
      if (there.some(({ key }) => key === file.key)) return;
      if (there.length < maxAttachments) setDraftFiles(ui, draft, [...there, file]);
      else reportCrowd(ui, 1);
    },
    /** Also while it is on its way: what arrives then is given back. */
    remove: async (key: string): Promise<void> => {
      const file = takeAway(key);
      if (file?.state === 'ready') await forget(file.attachment.id);
    },
    retry: async (key: string): Promise<void> => {
      const file = find(key)?.file;
      if (file?.state !== 'failed') return;
      const { message: _message, advice: _advice, ...rest } = file;
      become({ ...rest, state: 'uploading' });
      await send(file);
    },
  };
}

/** null = it was taken away before it was sent. */
async function give(
  host: HostConnection,
  { name, sent }: { name: string; sent: File },
  isWanted: () => boolean,
): Promise<Attachment | null> {
  if (sent.size > maxPieceBytes) {
    const uploadId = await upload(host, sent);
    if (isWanted()) return (await host.call('attachment/add-upload', { name, uploadId })).attachment;
    await host.call('upload/cancel', { uploadId });
    return null;
  }
  const data = await base64Of(sent);
  return isWanted() ? (await host.call('attachment/add', { name, data })).attachment : null;
}

/** The draft as it is without them; unchanged where they were changed. */
function without(draft: string, words: string): string {
  const at = draft.indexOf(words);
  if (at === -1) return draft;
  const [before, after] = [draft.slice(0, at), draft.slice(at + words.length)];
  if (after.trim() === '') return before.trimEnd();
  return before.trim() === '' ? after.trimStart() : before + after;
}

function reportRefused(ui: UiStore, refused: readonly { file: File; why: Refusal }[]): void {
  const { words } = text.files;
  const [crowd, others] = [
    refused.filter(({ why }) => why === 'too_many'),
    refused.filter(({ why }) => why !== 'too_many'),
  ];
  for (const { file, why } of others) {
    if (why === 'empty') addNotice(ui, words.empty(nameOf(file)), words.emptyAdvice);
    else addNotice(ui, words.tooLarge(nameOf(file), file.size, maxAttachmentBytes), words.tooLargeAdvice);
  }
  if (crowd.length > 0) reportCrowd(ui, crowd.length);
}

const reportCrowd = (ui: UiStore, left: number): void =>
  addNotice(ui, text.files.words.tooMany(maxAttachments, left), text.files.words.tooManyAdvice);

/** What the host takes as a name; a picture from the clipboard may have none. */
function nameOf({ name, type }: File): string {
  const given = name.trim().slice(-255);
  if (given !== '') return given;
  const [kind, extension = ''] = type.split('/');
  return kind === 'image' ? `image.${extension.replace('jpeg', 'jpg')}` : 'file';
}
