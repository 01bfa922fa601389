/** One message of a program to the agent, and what comes back. */
import { followTurn, turnFailure, type TurnResult } from '../cli/follow-turn.ts';
import type { HostRpc } from '../cli/host-rpc.ts';
import { ApiFailure } from './api-failure.ts';

export interface AgentTurn {
  rpc: HostRpc;
  sessionId: string;
  text: string;
  /** Fires when nobody waits for the answer any longer. */
  signal: AbortSignal;
  /** The turn was accepted. */
  onStart: (turnId: string) => void;
  /** A piece of the answer. */
  onText: (text: string) => void;
}

export interface AgentAnswer {
  turnId: string;
  /** All pieces. */
  text: string;
  /** It ended at a limit, and there may be more to say. */
  isCut: boolean;
  usage: TokenCounts;
}

export interface TokenCounts {
  input: number;
  cached: number;
  output: number;
}

/** Texts between which tools ran. */
const betweenTexts = '\n\n';

/** Rejects with AndironError or ApiFailure where there is no answer. */
export async function askAgent({
  rpc,
  sessionId,
  text,
  signal,
  onStart,
  onText,
}: AgentTurn): Promise<AgentAnswer> {
  let answer = '';
  let isBetween = false;
  const usage: TokenCounts = { input: 0, cached: 0, output: 0 };
  const add = (piece: string): void => {
    const whole = isBetween && answer !== '' ? betweenTexts + piece : piece;
    isBetween = false;
    answer += whole;
    onText(whole);
  };
  const result = await followTurn({
    rpc,
    sessionId,
    signal,
    async send() {
      const started = await rpc.call('turn/start', { sessionId, text, mayPlan: false });
      onStart(started.turnId);
      return started;
    },
    listener: {
      onEvent({ event }) {
        if (event.type !== 'usage/measured') return;
        usage.input += event.usage.promptTokens ?? 0;
        usage.cached += event.usage.cachedTokens ?? 0;
        usage.output += event.usage.outputTokens ?? 0;
      },
      onText: add,
      onTextEnd: () => (isBetween = true),
      onModel: () => undefined,
      onTool: () => undefined,
      onPlan: () => undefined,
      onQuestion: () => undefined,
      onResolved: () => undefined,
    },
  });
  return { turnId: result.turnId, text: answer, isCut: isCut(result), usage };
}

/** Throws where the turn has no answer. */
function isCut({ status, cut, error }: TurnResult): boolean {
  switch (status) {
    case 'finished':
      return cut;
    case 'max_iterations':
      return true;
    case 'stopped':
      throw new ApiFailure(503, 'stopped', 'The answer was stopped in Andiron.');
    case 'failed':
    case 'interrupted':
    case 'queued':
    case 'running':
      throw turnFailure(error);
  }
}
