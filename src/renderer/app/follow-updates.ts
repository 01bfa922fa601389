/** What main says of updates, into the store of the window. */
import type { Services } from '../commands/command.ts';

export function followUpdates({ desktop, stores }: Pick<Services, 'desktop' | 'stores'>): void {
  desktop?.updates.onNews((updates) => stores.ui.setState({ updates }));
}
