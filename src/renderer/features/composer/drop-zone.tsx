import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { maxAttachmentBytes, maxAttachments } from '../../../protocol/attachment-limits.ts';
import { composer as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { carriesFiles, dropped } from './given-files.ts';
import styles from './composer.module.css';

/** The column that it stands in takes files; it says so while some are held over it. */
export function DropZone() {
  const { run } = useCommands();
  const place = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);
  const take = useEffectEvent((given: DataTransfer) => {
    const { files, folders } = dropped(given);
    for (const name of folders) void run('composer/refuse-folder', { name });
    if (files.length > 0) void run('composer/add-files', { files });
    void run('composer/focus');
  });
  useEffect(() => {
    const column = place.current?.parentElement;
    const page = column?.ownerDocument;
    if (!column || !page) return;
    const hold = (event: DragEvent): void => {
      if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node) || !column.contains(relatedTarget)) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) take(event.dataTransfer);
    };
    /** Beside it nothing happens: a browser would open the file in place of the window. */
    const refuse = (event: DragEvent): void => {
      if (!carriesFiles(event.dataTransfer) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    const stop = new AbortController();
    const { signal } = stop;
    column.addEventListener('dragover', hold, { signal });
    column.addEventListener('dragleave', leave, { signal });
    column.addEventListener('drop', drop, { signal });
    page.addEventListener('dragover', refuse, { signal });
    page.addEventListener('drop', refuse, { signal });
    return () => stop.abort();
  }, []);
  return (
    <div ref={place} className={styles.dropZone} hidden={!over}>
      <p className={styles.card}>
        <Icon name="clip" />
        <span>
          <span className="medium block">{text.files.drop}</span>
          <span className="meta">{text.files.dropHelp(maxAttachments, maxAttachmentBytes)}</span>
        </span>
      </p>
    </div>
  );
}
