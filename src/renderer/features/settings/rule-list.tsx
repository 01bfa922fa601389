import { person } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { ActionButton } from './controls.tsx';
import { dayOf } from './days.ts';
import { FailureLine, ListGroup } from './pane-parts.tsx';
import { useAttempt } from './requests.ts';
import { useKeptPlace } from './use-kept-place.ts';
import styles from './settings.module.css';

const text = person.approvals;

/** What is allowed in a folder for longer than one call. */
export interface ListedRule {
  id: string;
  /** The command or the host. */
  name: string;
  workspace: string;
  /** For what it holds, if not for all of the folder and for the owner. */
  limits: readonly string[];
  used: number;
  createdAt: number;
  lastUsedAt: number | null;
}

interface RuleListProps {
  rules: readonly ListedRule[];
  /** Of what stands beneath a folder, for those who hear it. */
  label: (folder: string) => string;
  /** In place of none; null = nothing is said. */
  empty: string | null;
}

/** By folder, with how often each was used; each can be taken back. */
export function RuleList({ rules, label, empty }: RuleListProps) {
  const { actions } = useCommands();
  const { busy, failure, attempt } = useAttempt();
  const { place, leave } = useKeptPlace();
  const remove = async (rule: ListedRule): Promise<void> => {
    leave(rules.indexOf(rule));
    if (!(await attempt(() => actions.removeRule(rule.id)))) leave(null);
  };
  return (
    <div ref={place} tabIndex={-1}>
      {rules.length === 0 && empty !== null && <p className={`t2 ${styles.setNote}`}>{empty}</p>}
      {[...Map.groupBy(rules, ({ workspace }) => workspace)].map(([folder, inFolder]) => (
        <ListGroup key={folder} title={folder} label={label(folder)}>
          {inFolder.map((rule) => (
            <li key={rule.id}>
              <span className="min-0">
                <span className="mono">{rule.name}</span>{' '}
                <span className="meta">
                  {rule.limits.map((limit) => `${limit}, `)}
                  {text.used(rule.used, dayOf(rule.lastUsedAt ?? rule.createdAt))}
                </span>
              </span>
              <ActionButton
                small
                busy={busy}
                description={text.removeLabel(rule.name, folder)}
                onClick={() => void remove(rule)}
              >
                {text.revoke}
              </ActionButton>
            </li>
          ))}
        </ListGroup>
      ))}
      {failure && <FailureLine failure={failure} />}
    </div>
  );
}
