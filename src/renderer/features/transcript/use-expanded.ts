import { useStore } from 'zustand';
import { useStores } from '../../stores/stores.ts';

/** Whether a row is open. Kept outside the row: a row that scrolls away is unmounted and comes back as it was left. */
export function useExpanded(id: string, byDefault: boolean): [open: boolean, toggle: () => void] {
  const { ui } = useStores();
  const open = useStore(ui, (state) => state.expanded[id] ?? byDefault);
  return [open, () => ui.setState(({ expanded }) => ({ expanded: { ...expanded, [id]: !open } }))];
}
