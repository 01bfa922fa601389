/** What a command did to its folder, file by file, and what of it undo does not cover. */
import type { CommandChanges } from '../../../protocol/model.ts';
import { visibleName } from '../../../rules/visible-text/visible-text.ts';
import { changedFiles } from '../../text.ts';
import { DiffCount } from '../../components/diff-view.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import styles from './card.module.css';

const text = changedFiles.command;
const maxRows = 20;

export function CommandChanged({ changes }: { changes: CommandChanges | null }) {
  if (changes === null) return <p className={`meta ${styles.made}`}>{text.unknown}</p>;
  const { files, total, uncovered } = changes;
  const shown = files.slice(0, maxRows);
  if (total === 0 && uncovered.length === 0) return null;
  return (
    <div className={styles.made}>
      {total > 0 && <p className="meta">{text.title(total)}</p>}
      <ul>
        {shown.map((file) => (
          <ChangedByCommand key={file.path} file={file} />
        ))}
      </ul>
      {total > shown.length && <p className="meta">{changedFiles.more(total - shown.length)}</p>}
      {uncovered.slice(0, maxRows).map(({ path, changed }) => (
        <p key={path} className="meta">
          <VisibleText text={text.uncovered(path, changed)} oneLine />
        </p>
      ))}
    </div>
  );
}

function ChangedByCommand({
  file: { path, added, removed, what },
}: {
  file: CommandChanges['files'][number];
}) {
  return (
    <li>
      <span className="cut path" title={visibleName(path)}>
        <bdi>
          <VisibleText text={path} oneLine />
        </bdi>
      </span>
      <span className="meta num">{added + removed > 0 && <DiffCount added={added} removed={removed} />}</span>
      <span className="meta">{text.what[what]}</span>
    </li>
  );
}
