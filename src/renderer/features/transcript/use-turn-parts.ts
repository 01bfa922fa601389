import { useUi, useStores } from '../../stores/stores.ts';
import { changesKey } from './foot-row.ts';
import { workKey } from './fold-work.ts';

/** The parts of a turn that its foot and its line of work open and close. */
export function useTurnParts(turnId: string) {
  const { ui } = useStores();
  const changesOpen = useUi(({ expanded }) => expanded[changesKey(turnId)] === true);
  const set = (key: string, open: boolean): void =>
    ui.setState(({ expanded }) => ({ expanded: { ...expanded, [key]: open } }));
  return {
    changesOpen,
    toggleChanges: () => set(changesKey(turnId), !changesOpen),
    /** `open`: as it is now. */
    toggleWork: (open: boolean) => set(workKey(turnId), !open),
  };
}
