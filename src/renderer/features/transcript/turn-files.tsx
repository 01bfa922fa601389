import type { ResultFile } from '../../../protocol/result-files.ts';
import { composer, transcript } from '../../text.ts';
import { bytes as sizeOf } from '../../formats.ts';
import { AttachmentChip } from '../../components/attachment-chip.tsx';
import { asAttachment } from '../../commands/brought-file.ts';
import { useCommands } from '../../commands/commands.ts';
import { useSession } from '../../stores/stores.ts';
import styles from '../../components/attachment.module.css';

const text = transcript.resultFiles;

/** Files that a turn brought out, below its answer. A press shows one as it stands now. */
export function TurnFiles({ files }: { files: readonly ResultFile[] }) {
  const { run } = useCommands();
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const all = files.map((file) => asAttachment(sessionId, file));
  const shown = all.filter((file) => file !== null);
  return (
    <ul className={`${styles.list} ${styles.sent}`} aria-label={text.label}>
      {files.map((file, at) => {
        const id = all[at]?.id;
        return (
          <li key={file.id} className={styles.file}>
            <AttachmentChip
              name={file.name}
              meta={file.bytes === null ? text.elsewhere : sizeOf(file.bytes)}
              icon="file"
              look={
                id === undefined
                  ? undefined
                  : {
                      label: composer.files.look(file.name),
                      onLook: () => void run('attachment/look', { files: shown, id }),
                    }
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
