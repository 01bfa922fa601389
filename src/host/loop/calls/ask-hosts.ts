/** The hosts that a running call wants to reach: one question after the other, on the card of its call. */
import type { ToolItem } from '../../../protocol/model.ts';
import { hostName } from '../../../rules/asked-host.ts';
import type { HostVerdict, Reach } from '../../tools/tool.ts';
import type { AuthorizeRequest, Emit } from '../deps.ts';
import type { Run } from '../ports.ts';

export interface HostQuestions {
  reach: Reach;
  /** How long the person was asked, in milliseconds. */
  askedMs: () => number;
  /** What is still open is withdrawn: the call has ended. */
  close(): void;
}

/**
 * undefined = there is nobody to ask.
 * @param sandboxed what asks is kept in; null = it is nothing that could be
 * @param signal fires on Stop and when the person ends the call
 */
export function askHosts(
  item: ToolItem,
  { tools, out, setting }: Run,
  sandboxed: boolean | null,
  signal: AbortSignal,
): HostQuestions | undefined {
  const { hosts } = tools;
  if (!hosts) return undefined;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const { profile } = setting.active;
  let before: Promise<unknown> = Promise.resolve();
  let askedMs = 0;

  const askOne = async (name: string, isPrivate: boolean): Promise<HostVerdict> => {
    const begun = out.clock.monotonic();
    let isAsked = false;
    const emit: Emit = (event) => {
      isAsked ||= event.type === 'approval/requested';
      out.emit(event);
    };
    const request: AuthorizeRequest = {
      item,
      need: { risk: 'network', summary: name, mutates: '', sandboxed: sandboxed ?? false, scopes: ['once'] },
      preview: null,
      profile,
      editable: null,
      host: { name, isPrivate },
      touched: null,
      reads: tools.reads,
      isUnannounced: false,
    };
    const verdict = await tools.authorize(request, emit, until);
    if (isAsked) {
      askedMs += out.clock.monotonic() - begun;
      emit({ type: 'turn/phase', phase: 'tool' });
      emit({ type: 'tool/started', itemId: item.id, sandboxed });
    }
    if (verdict === 'allow') {
      hosts.reached({ callId: item.callId, host: name });
      return { isAllowed: true };
    }
    const reply = typeof verdict === 'object' && 'reply' in verdict ? verdict.reply : undefined;
    return { isAllowed: false, ...(reply !== undefined && { reply }) };
  };

  return {
    reach({ isPrivate, ...wanted }) {
      const asked = before.then(() => askOne(hostName(wanted), isPrivate));
      // Whoever waits behind it is asked about another host.
      before = asked.catch(() => undefined);
      return asked;
    },
    askedMs: () => askedMs,
    close: () => over.abort(),
  };
}
