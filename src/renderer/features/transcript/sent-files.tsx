import { useState } from 'react';
import type { Attachment } from '../../../protocol/attachments.ts';
import { composer as text } from '../../text.ts';
import { AttachmentChip } from '../../components/attachment-chip.tsx';
import { kindWords } from '../../components/attachment-words.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAttached } from '../../commands/use-attached.ts';
import styles from '../../components/attachment.module.css';

interface SentFileProps {
  file: Attachment;
  onLook: () => void;
}

interface SentFilesProps {
  attachments: readonly Attachment[];
  label?: string;
}

/** What went with a message, or came with a result: images to be looked at, other files by name. A press shows all of one. */
export function SentFiles({ attachments, label = text.files.label }: SentFilesProps) {
  const { run } = useCommands();
  return (
    <ul className={`${styles.list} ${styles.sent}`} aria-label={label}>
      {attachments.map((file) => {
        const look = (): void => void run('attachment/look', { files: attachments, id: file.id });
        return (
          <li key={file.id} className={file.kind === 'image' ? undefined : styles.file}>
            {file.kind === 'image' ? (
              <SentPicture file={file} onLook={look} />
            ) : (
              <AttachmentChip
                name={file.name}
                meta={metaOf(file)}
                icon={iconOf(file)}
                look={{ label: text.files.look(file.name), onLook: look }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function metaOf(file: Attachment): string {
  const { bytes, from } = file;
  if (!from) return text.files.meta(kindWords(file), bytes);
  if (from.kind === 'collection') return text.files.fromCollection(from.server);
  return text.files.metaFrom(kindWords(file), bytes, from.server);
}

function iconOf({ from }: Attachment): IconName {
  if (!from) return 'file';
  return from.kind === 'collection' ? 'collection' : 'plug';
}

/** As large before it is there, and where it cannot be: what comes in does not push the transcript. */
function SentPicture({ file: { id, name }, onLook }: SentFileProps) {
  const { value, failure } = useAttached(id);
  const [shown, setShown] = useState<'whole' | 'small' | 'broken'>('whole');
  const problem = failure?.message ?? (shown === 'broken' ? text.viewer.broken(name) : null);
  return (
    <button
      type="button"
      className={styles.pictureOpen}
      aria-label={problem === null ? text.files.look(name) : undefined}
      title={name}
      onClick={onLook}
    >
      {problem !== null ? (
        <span className={styles.noPicture}>
          <Icon name="failed" />
          <span className="sr-only">{text.files.look(name)}</span>
          <span className="meta">{problem}</span>
        </span>
      ) : (
        value !== null && (
          <img
            src={value}
            alt={name}
            decoding="async"
            className={shown === 'small' ? styles.small : undefined}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight, width, height } }) =>
              // Smaller than its place it stays as it is.
              naturalWidth < width && naturalHeight < height && setShown('small')
            }
            onError={() => setShown('broken')}
          />
        )
      )}
    </button>
  );
}
