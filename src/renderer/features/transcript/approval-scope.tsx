/** Where a call that asks would work and what it can change there, from what the host says and nothing else. */
import type { ReactNode } from 'react';
import type { Approval } from '../../../protocol/model.ts';
import { changedFiles, transcript } from '../../text.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { Around } from './ask-card.tsx';
import styles from './approval.module.css';

const text = transcript.approval;

export const isCommand = ({ risk, host, sandboxed }: Approval): boolean =>
  risk === 'execute' || (host !== undefined && sandboxed);

interface ApprovalScopeProps {
  approval: Approval;
  /** Title and change of a file say all of its effect. */
  isFile: boolean;
}

export function ApprovalScope({ approval, isFile }: ApprovalScopeProps) {
  const { isUsual, sandboxed, undo } = approval;
  const why = whyOf(approval);
  // Each of the other lines says it already.
  const isSaid = isUsual === true || why === '' || (!sandboxed && (isCommand(approval) || approval.host));
  return (
    <>
      {!isFile && <Effect approval={approval} />}
      {!isSaid && (
        <Line icon="info">
          <VisibleText text={why} oneLine />
        </Line>
      )}
      {undo && (
        <Line icon="undo">
          <VisibleText
            text={
              undo.kind === 'none'
                ? changedFiles.notCovered[undo.problem]
                : changedFiles.covered(undo, sandboxed)
            }
            oneLine
          />
        </Line>
      )}
    </>
  );
}

function Effect({ approval }: { approval: Approval }) {
  const { tool, where, mutates, sandboxed, network, host } = approval;
  const why = whyOf(approval);
  const folder = <VisibleText text={where} oneLine />;
  if (!isCommand(approval)) {
    return (
      <Line icon={host ? 'web' : tool === 'tool_call' ? 'plug' : 'folder'}>
        <VisibleText text={host ? why : (effectOf(tool) ?? (mutates || text.nothing))} oneLine />
        {' · '}
        <span className="mono">{folder}</span>
      </Line>
    );
  }
  if (sandboxed) {
    return (
      <Line icon="shield">
        <Around words={text.sandboxed}>{folder}</Around>
        {host ? text.hostWaits : network && text.networks[network]}
      </Line>
    );
  }
  return (
    <Line icon="bare" warns>
      <span className="warn">
        <Around words={text.notSandboxed}>{folder}</Around>
      </span>{' '}
      <VisibleText text={why || mutates} oneLine />
    </Line>
  );
}

const whyOf = (approval: Approval): string =>
  approval.reason === undefined ? approval.why : text.asked[approval.reason](approval);

/** In the person's language, as far as the tool is Andiron's own. */
const effectOf = (tool: string): string | undefined =>
  (text.effects as Partial<Record<string, string>>)[tool];

function Line({ icon, warns, children }: { icon: IconName; warns?: boolean; children: ReactNode }) {
  return (
    <p className={styles.scope}>
      <span className={warns ? 'warn' : undefined}>
        <Icon name={icon} />
      </span>
      <span>{children}</span>
    </p>
  );
}
