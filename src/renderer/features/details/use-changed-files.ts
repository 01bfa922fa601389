import { useMemo } from 'react';
import { latestTurn } from '../../stores/derive.ts';
import { useSessionParts } from '../../stores/use-session-parts.ts';
import { changedFiles, editsOf, type ChangedFile } from './changed-files.ts';

/** Files that the newest turn has written. */
export function useChangedFiles(): ChangedFile[] {
  const edits = useSessionParts(({ state }) => editsOf(state?.items ?? [], latestTurn(state)?.id));
  return useMemo(() => changedFiles(edits), [edits]);
}
