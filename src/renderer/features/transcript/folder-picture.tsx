import { useState, type ReactNode } from 'react';
import { composer, prose } from '../../text.ts';
import { pictureInFolder } from '../../commands/brought-file.ts';
import { useCommands } from '../../commands/commands.ts';
import { useAttached } from '../../commands/use-attached.ts';
import { IconButton } from '../../components/button.tsx';
import type { FolderPictureProps } from '../../components/markdown/folder-pictures.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../stores/stores.ts';
import styles from './folder-picture.module.css';

/** A picture that an answer names, as it lies in the session's folder now; what cannot be shown says why. */
function FolderPicture({ path, alt }: FolderPictureProps) {
  const { run } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  const file = sessionId === null ? null : pictureInFolder(sessionId, path);
  const { value, failure } = useAttached(file?.id ?? null);
  const [isBroken, setBroken] = useState(false);
  const problem = failure?.message ?? (isBroken ? composer.viewer.broken(path) : null);
  if (problem !== null || file === null) {
    return (
      <>
        {prose.image(alt)}{' '}
        <span className="t3">
          (<VisibleText text={problem ?? path} oneLine />)
        </span>
      </>
    );
  }
  return (
    <span className={styles.picture}>
      <span className={styles.head}>
        <span className="mono grow cut" dir="ltr">
          <VisibleText text={path} oneLine />
        </span>
        <span>{prose.fromFolder}</span>
        <IconButton
          icon="open"
          label={prose.openPicture(file.name)}
          onClick={() => void run('attachment/look', { files: [file], id: file.id })}
        />
      </span>
      <span className={styles.place}>
        {value !== null && (
          <img src={value} alt={alt === '' ? path : alt} decoding="async" onError={() => setBroken(true)} />
        )}
      </span>
    </span>
  );
}

export const drawFolderPicture = (picture: FolderPictureProps): ReactNode => <FolderPicture {...picture} />;
