/** What a turn said that it is about to do, and the way to let it do more. */
import type { Turn, TurnScope } from '../../../protocol/model.ts';
import { transcript } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { isBusy } from '../../stores/derive.ts';
import { useSession } from '../../stores/stores.ts';
import styles from './card.module.css';
import transcriptStyles from './transcript.module.css';

const text = transcript.scope;

interface ScopeLineProps {
  turnId: Turn['id'];
  scope: TurnScope;
  /** It may be asked again with more allowed. */
  offered: boolean;
}

/** One quiet line below the message. */
export function ScopeLine({ turnId, scope, offered }: ScopeLineProps) {
  const { icon, words } = lookOf(scope);
  // Where it only plans, what it may do besides is another mode.
  const plansOnly = useSession(({ state }) => state?.session.approvals === 'plan_only');
  return (
    <div className={`${transcriptStyles.line} ${styles.unsaid}`}>
      <Icon name={icon} />
      <span>{words}</span>
      {offered && !plansOnly && <AllowChanges turnId={turnId} />}
    </div>
  );
}

function AllowChanges({ turnId }: { turnId: Turn['id'] }) {
  const { run } = useCommands();
  const busy = useSession(isBusy);
  return (
    <Button
      kind="quiet"
      small
      icon="edit"
      disabled={busy}
      title={busy ? text.busy : undefined}
      onClick={() => void run('turn/regenerate', { turnId, allow: ['change', 'run'] })}
    >
      {text.allow}
    </Button>
  );
}

const icons = { change: 'edit', run: 'run', use: 'plug' } as const satisfies Record<string, IconName>;

function lookOf({ change, run, steps }: TurnScope): { icon: IconName; words: string } {
  const does = { change, run, use: steps.some(({ act }) => act === 'use') };
  const may = (['change', 'run', 'use'] as const).filter((act) => does[act]);
  const [first] = may;
  return first
    ? { icon: icons[first], words: text.may(may.map((act) => text.acts[act])) }
    : steps.length > 0 && steps.every(({ act }) => act === 'answer')
      ? { icon: 'think', words: text.answers }
      : { icon: 'search', words: text.looks };
}
