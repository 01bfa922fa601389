import type { SessionGrant } from '../../../protocol/person-methods.ts';
import { person } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { useHost, useUi } from '../../stores/stores.ts';
import { ActionButton } from './controls.tsx';
import { FailureLine, ListGroup, SettingGroup } from './pane-parts.tsx';
import { useAsked, useAttempt } from './use-attempt.ts';
import { useKeptPlace } from './use-kept-place.ts';
import styles from './settings.module.css';

const text = person.approvals;

/** What no longer asks, in every session that there is, and the ways to have it ask again. */
export function Grants() {
  const { actions } = useCommands();
  const sessions = useHost((host) => host.sessions);
  const changes = useHost((host) => host.grantChanges ?? 0);
  const openId = useUi((ui) => ui.openSessionId);
  const { busy, failure, attempt } = useAttempt();
  // A session that was deleted takes its own with it, and brings them back.
  const key = `grants:${changes}:${sessions.length}`;
  const { value, failure: unread, again } = useAsked(key, (ask) => ask.grants());
  const { place, leave } = useKeptPlace();

  const bySession = Map.groupBy(value ?? [], ({ sessionId }) => sessionId);
  const groups = sessions.flatMap(({ id, title }) => {
    const grants = bySession.get(id);
    return grants ? [{ id, title, grants }] : [];
  });
  const all = groups.flatMap(({ grants }) => grants);
  const revoke = async (...grants: SessionGrant[]): Promise<void> => {
    leave(grants.length === 1 ? all.findIndex((each) => each === grants[0]) : 0);
    const revoked = await attempt(async () => {
      for (const grant of grants) await actions.revoke(grant);
    });
    if (!revoked) leave(null);
  };
  return (
    <SettingGroup
      {...text.rows.session}
      aside={
        all.length > 1 && (
          <ActionButton small busy={busy} onClick={() => void revoke(...all)}>
            {text.revokeAll(all.length)}
          </ActionButton>
        )
      }
    >
      <div ref={place} tabIndex={-1}>
        {unread && <FailureLine failure={unread} onAgain={again} />}
        {!unread && all.length === 0 && (
          <p className={`t2 ${styles.setNote}`}>{value ? text.noneGranted : text.asking}</p>
        )}
        {groups.map(({ id, title, grants }) => (
          <ListGroup
            key={id}
            title={title}
            label={text.inSession(title)}
            mark={id === openId && <span className="tag">{text.open}</span>}
          >
            {grants.map((grant) => (
              <li key={`${grant.tool} ${grant.folder ?? ''}`}>
                <span className="min-0">
                  <span className="mono">{grant.tool}</span>{' '}
                  {grant.folder !== null && (
                    <span className="mono" title={grant.folder} dir="auto">
                      {grant.shown}
                    </span>
                  )}{' '}
                  <span className="meta">{text.risks[grant.risk]}</span>
                </span>
                <ActionButton
                  small
                  busy={busy}
                  description={text.revokeLabel(grant.tool, grant.shown, title)}
                  onClick={() => void revoke(grant)}
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
