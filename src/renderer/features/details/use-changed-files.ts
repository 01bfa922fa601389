import { useMemo } from 'react';
import { latestTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import { changedFiles, type ChangedFile } from './changed-files.ts';

/** Files that the newest turn has written. */
export function useChangedFiles(): ChangedFile[] {
  const items = useSession((session) => session.state?.items);
  const turnId = useSession((session) => latestTurn(session.state)?.id);
  return useMemo(() => changedFiles(items ?? [], turnId), [items, turnId]);
}
