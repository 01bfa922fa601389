import type { SessionStoreState } from './session-store.ts';

const attachedPath = /[/\\]attachments[/\\](att_\w+)(?:\.[^/\\]*)?$/u;

/**
 * The name that a person gave the attached file at this path of the data folder. null = the path leads elsewhere, or
 * none of the turns in the window came with that file.
 */
export function attachedName({ state, past }: Shown, path: string): string | null {
  const id = attachedPath.exec(path)?.[1];
  if (id === undefined) return null;
  const turns = [...(state?.turns ?? []), ...(past?.turns ?? [])];
  const file = turns.flatMap(({ attachments }) => attachments ?? []).find((each) => each.id === id);
  return file?.name ?? null;
}

type Shown = Pick<SessionStoreState, 'state' | 'past'>;
