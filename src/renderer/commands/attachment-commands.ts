import type { Attachment } from '../../protocol/attachments.ts';
import { bytesOf } from './attached-files.ts';
import type { UiStore } from '../stores/ui-store.ts';
import { command } from './command.ts';
import type { PageFiles } from './page-files.ts';
import { saveFile } from './save-file.ts';

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
