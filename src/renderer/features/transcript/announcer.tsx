import type { SessionState } from '../../../protocol/reducer.ts';
import { visibleText } from '../../../rules/visible-text/visible-text.ts';
import { transcript as text } from '../../text.ts';
import { askingCall, latestTurn } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';

/** Says changes of state aloud. The tokens themselves are not: a screen reader could not keep up. */
export function Announcer() {
  const message = useSession(({ state }) => (state ? announcement(state) : ''));
  return <output className="sr-only">{message}</output>;
}

function announcement(state: SessionState): string {
  const turn = latestTurn(state);
  if (!turn) return '';
  const asking = askingCall(state);
  if (asking?.approval) return text.announce.asks(visibleText(asking.approval.summary));
  switch (turn.status) {
    case 'running':
      return text.announce.working;
    case 'finished':
      return turn.cut ? text.announce.cut : text.announce.finished;
    case 'stopped':
      return text.announce.stopped;
    case 'failed':
      return text.announce.failed;
    case 'max_iterations':
      return text.announce.capped;
    case 'interrupted':
      return text.announce.interrupted;
    case 'queued':
      return '';
  }
}
