import { changedFiles } from '../../text.ts';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import styles from './changes.module.css';
import { FilesChanged } from './files.tsx';

/** What the agent changed in this session, over the edge of the transcript while somebody asks for it. */
export function ChangesSheet() {
  return (
    <aside className={styles.column} aria-label={changedFiles.title} {...keyboardScrollable}>
      <FilesChanged />
    </aside>
  );
}
