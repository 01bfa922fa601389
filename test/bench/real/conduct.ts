/** One message in the whole house, with somebody at the window who allows what stays in the scratch folder. */
import type { ToolItem, Turn } from '../../../src/protocol/model.ts';
import type { SessionView } from '../../helpers/host-world.ts';

export interface Conducted {
  turn: Turn;
  /** The wall clock ran out and the turn was stopped. */
  timedOut: boolean;
  /** What the model said after its last call. */
  answer: string;
}

export async function conduct(view: SessionView, text: string, capMs: number): Promise<Conducted> {
  const { rpc, sessionId } = view;
  const turnId = await view.send(text);
  const closed = (): boolean => view.turn(turnId)?.closed ?? false;
  let timedOut = false;
  const cap = setTimeout(() => {
    timedOut = true;
    // Refused where the turn ended at this very moment.
    rpc.call('turn/stop', { sessionId, turnId }).catch(() => undefined);
  }, capMs);
  const answered = new Set<string>();
  const question = (): ToolItem | undefined =>
    view
      .items('tool')
      .find(({ state, approval }) => state === 'awaiting_approval' && !answered.has(approval?.id ?? ''));
  try {
    for (;;) {
      await view.until(() => closed() || question() !== undefined);
      const asking = question();
      if (asking === undefined) break;
      const approvalId = asking.approval?.id ?? '';
      answered.add(approvalId);
      const decision = staysInside(asking.args, view.state.session.workspace) ? 'allow' : 'deny';
      // Refused where the turn was stopped meanwhile.
      await rpc.call('approval/answer', { sessionId, approvalId, decision }).catch(() => undefined);
    }
  } finally {
    clearTimeout(cap);
  }
  return { turn: await view.closed(turnId), timedOut, answer: lastWords(view, turnId) };
}

function lastWords(view: SessionView, turnId: string): string {
  const items = view.state.items.filter((item) => item.turnId === turnId);
  const lastCall = items.findLastIndex(({ kind }) => kind === 'tool');
  return items
    .slice(lastCall + 1)
    .flatMap((item) => (item.kind === 'text' && !item.cut ? [item.text] : []))
    .join('\n');
}

const reachesOut =
  /(^|[\s"'=<>|&;(])(~|\/(?!dev\/null\b)|\.\.)|\b(sudo|curl|wget|ssh|scp|npm|npx|pip3?|apt|git|kill|pkill|killall|shutdown|reboot)\b/;

/** File tools keep to the workspace by themselves; a command is run only if nothing in it points elsewhere. */
export function staysInside(args: unknown, workspace: string): boolean {
  if (typeof args !== 'object' || args === null || !('command' in args)) return true;
  return typeof args.command === 'string' && !reachesOut.test(args.command.replaceAll(workspace, '.'));
}
