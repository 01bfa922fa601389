/** A card that asks, in a window of a test. */
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import type { Approval, ToolItem } from '../../protocol/model.ts';
import { SightContext } from '../components/sight.ts';
import { anApproval, anItem } from './fixtures.ts';
import { inSight, openTestWindow, renderIn } from './window-kit.tsx';
import { ApprovalCard } from '../features/transcript/approval-card.tsx';
import { AtEndContext } from '../features/transcript/at-end.ts';

interface Around {
  item?: Partial<ToolItem>;
  /** Drawn earlier, as the message box is. */
  before?: ReactElement;
  atEnd?: boolean;
  sight?: typeof inSight;
  asker?: string;
}

export async function ask(over: Partial<Approval> = {}, around: Around = {}) {
  const { item: more, before = <></>, atEnd = true, sight = inSight, asker = null } = around;
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  const approval = anApproval(over);
  const item = anItem('tool', { state: 'awaiting_approval', approval, ...more });
  renderIn(window, before);
  const card = (
    <AtEndContext value={() => atEnd}>
      <SightContext value={sight}>
        <ApprovalCard item={item} approval={approval} asker={asker} />
      </SightContext>
    </AtEndContext>
  );
  const { unmount: withdraw } = renderIn(window, card);
  return { ...window, card, withdraw, user: userEvent.setup({ delay: null }) };
}
