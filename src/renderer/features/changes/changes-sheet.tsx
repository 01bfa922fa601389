import { changedFiles } from '../../text.ts';
import { keyboardScrollable } from '../../components/scroll-region.tsx';
import { FilesChanged } from './files.tsx';

/** What the agent changed in this session, over the edge of the transcript while somebody asks for it. */
export function ChangesSheet() {
  return (
    <aside className="right-col sheet right" aria-label={changedFiles.title} {...keyboardScrollable}>
      <FilesChanged />
    </aside>
  );
}
