/** One prompt of an editor: what happens in its turn as updates, and the questions in it. */
import { methods, type AgentContext, type SessionUpdate, type StopReason } from '@agentclientprotocol/sdk';
import { followTurn, turnFailure, type Question, type TurnResult } from '../cli/follow-turn.ts';
import type { HostRpc } from '../cli/host-rpc.ts';
import { AndironError } from '../protocol/errors.ts';
import { visibleName, visibleText } from '../rules/visible-text/visible-text.ts';
import type { ConfigSource } from './config-options.ts';
import { answerTo, permissionChoices } from './permission-options.ts';
import { readPrompt } from './prompt-content.ts';
import type { SessionUpdates } from './session-updates.ts';

/** The connection to the host follows it for as long as it lasts. */
export interface EditorSession {
  id: string;
  updates: SessionUpdates;
  source: ConfigSource;
  /** Of the prompts that are not answered yet. */
  running: Set<AbortController>;
}

interface Prompt {
  blocks: Parameters<typeof readPrompt>[1];
  client: AgentContext;
  signal: AbortSignal;
}

/** Rejects with AndironError where the turn failed. What was cancelled has not failed, whatever became of it then. */
export async function answerPrompt(
  rpc: HostRpc,
  session: EditorSession,
  prompt: Prompt,
): Promise<StopReason> {
  try {
    return stopReasonOf(await runPrompt(rpc, session, prompt));
  } catch (error) {
    if (prompt.signal.aborted && error instanceof AndironError) return 'cancelled';
    throw error;
  }
}

async function runPrompt(
  rpc: HostRpc,
  session: EditorSession,
  { blocks, client, signal }: Prompt,
): Promise<TurnResult> {
  const { id: sessionId, updates } = session;
  const { text, attachments } = await readPrompt(rpc, blocks, signal);
  const open = new Map<string, AbortController>();
  return followTurn({
    rpc,
    sessionId,
    signal,
    isFollowed: true,
    send: () => rpc.call('turn/start', { sessionId, text, attachments }),
    listener: {
      onEvent: ({ event, turnId }) => {
        if (turnId === null) return;
        for (const update of updates.of(event)) void sendUpdate(client, sessionId, update);
      },
      onText: () => undefined,
      onTextEnd: () => undefined,
      // It stands among the updates.
      onMark: () => undefined,
      onModel: () => undefined,
      onTool: () => undefined,
      onPlan: () => undefined,
      onQuestion: (question) => {
        const answered = new AbortController();
        open.set(question.itemId, answered);
        const end = AbortSignal.any([signal, answered.signal]);
        void ask(rpc, session, { question, client, signal: end });
      },
      onResolved: (itemId) => open.get(itemId)?.abort(),
    },
  });
}

interface Asked {
  question: Question;
  client: AgentContext;
  /** Fires when it was answered elsewhere, or its turn is stopped. */
  signal: AbortSignal;
}

/** Never rejects. An editor that cannot ask has declined. */
async function ask(
  rpc: HostRpc,
  { id: sessionId, updates }: EditorSession,
  { question, client, signal }: Asked,
): Promise<void> {
  const { approval, itemId, preview } = question;
  const choices = permissionChoices(approval);
  const call = updates.preview(itemId, preview) ?? { toolCallId: itemId, content: [] };
  const { summary, editable, mutates, why, quote } = approval;
  // The title is one line, so a longer command stands below it as a whole.
  const whole = editable && editable.text !== summary ? editable.text : '';
  const from = quote
    ? `It comes from a text that you did not write: ${quote.before}${quote.piece}${quote.after}`
    : '';
  const words = [whole, mutates, why, from].filter((text) => text !== '').map(visibleText);
  try {
    const { outcome } = await client.request(
      methods.client.session.requestPermission,
      {
        sessionId,
        options: choices.map(({ option }) => option),
        toolCall: {
          ...call,
          title: visibleName(summary),
          status: 'pending',
          content: [...call.content, { type: 'content', content: { type: 'text', text: words.join('\n') } }],
          ...(editable && { rawInput: { [editable.argument]: editable.text } }),
        },
      },
      { cancellationSignal: signal },
    );
    if (signal.aborted) return;
    const answer =
      outcome.outcome === 'selected' ? answerTo(outcome.optionId, choices) : { decision: 'deny' as const };
    await rpc.call('approval/answer', { sessionId, approvalId: approval.id, ...answer });
  } catch {
    if (signal.aborted) return;
    await rpc
      .call('approval/answer', { sessionId, approvalId: approval.id, decision: 'deny' })
      .catch(() => undefined);
  }
}

function stopReasonOf({ status, cut, error }: TurnResult): StopReason {
  switch (status) {
    case 'finished':
      return cut ? 'max_tokens' : 'end_turn';
    case 'stopped':
      return 'cancelled';
    case 'max_iterations':
      return 'max_turn_requests';
    case 'failed':
    case 'interrupted':
    case 'queued':
    case 'running':
      throw turnFailure(error);
  }
}

/** An editor that is gone is noticed by its connection. */
export async function sendUpdate(
  client: AgentContext,
  sessionId: string,
  update: SessionUpdate,
): Promise<void> {
  await client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
}
