import type { StoredCommandRule } from '../../../protocol/person-methods.ts';
import { person } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { wordsOfRule } from '../../components/words-of-rule.ts';
import { useHost } from '../../stores/stores.ts';
import { ActionButton } from './action-button.tsx';
import { dayOf } from './days.ts';
import { FailureLine } from './failure-line.tsx';
import { ListGroup } from './list-group.tsx';
import { SettingGroup } from './setting-row.tsx';
import { useAsked } from './use-asked.ts';
import { useAttempt } from './use-attempt.ts';
import { useKeptPlace } from './use-kept-place.ts';

const text = person.approvals;

/** The commands that no longer ask, by folder, with how often each was let run. */
export function CommandRules() {
  const { actions } = useCommands();
  const changes = useHost((host) => host.grantChanges ?? 0);
  const { busy, failure, attempt } = useAttempt();
  const { value, failure: unread, again } = useAsked(`rules:${changes}`, (ask) => ask.commandRules());
  const { place, leave } = useKeptPlace();
  const rules = value ?? [];
  const remove = async (rule: StoredCommandRule): Promise<void> => {
    leave(rules.indexOf(rule));
    if (!(await attempt(() => actions.removeRule(rule.id)))) leave(null);
  };
  return (
    <SettingGroup {...text.rows.commands}>
      <div ref={place} tabIndex={-1} className="grants">
        {unread && <FailureLine failure={unread} onAgain={again} />}
        {!unread && rules.length === 0 && (
          <p className="t2 set-note">{value ? text.noCommands : text.asking}</p>
        )}
        {[...Map.groupBy(rules, ({ workspace }) => workspace)].map(([folder, inFolder]) => (
          <ListGroup key={folder} title={folder} label={text.inFolder(folder)}>
            {inFolder.map((rule) => (
              <li key={rule.id}>
                <span className="min-0">
                  <span className="mono">{wordsOfRule(rule)}</span>{' '}
                  <span className="meta">
                    {text.used(rule.used, dayOf(rule.lastUsedAt ?? rule.createdAt))}
                  </span>
                </span>
                <ActionButton
                  small
                  busy={busy}
                  description={text.removeLabel(wordsOfRule(rule), folder)}
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
    </SettingGroup>
  );
}
