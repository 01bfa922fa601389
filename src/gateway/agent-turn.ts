/** One message of a program to the agent, and what comes back. */
import { followTurn, turnFailure, type TurnResult } from '../cli/follow-turn.ts';
import type { HostRpc } from '../cli/host-rpc.ts';
import type { RequestUsage, ToolItem, ToolState } from '../protocol/model.ts';
import type { TokenSums } from '../protocol/usage-methods.ts';
import { sumTokens } from '../rules/sum-tokens.ts';
import { afterBeginning, ApiFailure } from './api-failure.ts';
import { betweenTexts } from './session-history.ts';

export interface AgentTurn {
  rpc: HostRpc;
  sessionId: string;
  text: string;
  /** Fires when nobody waits for the answer any longer. */
  signal: AbortSignal;
  /** The turn was accepted. */
  onStart: (turnId: string) => void;
  /** A piece of the answer; `isNext`: tools ran since the piece before, which `betweenTexts` keeps apart from it. */
  onText: (text: string, isNext: boolean) => void;
  /** A tool of the agent itself begins, and ends. */
  onTool?: (tool: ToolItem) => void;
  onToolEnd?: (tool: ToolItem, state: ToolState, result: string) => void;
}

export interface AgentAnswer {
  turnId: string;
  /** All pieces, and what stands between them. */
  text: string;
  /** It ended at a limit, and there may be more to say. */
  isCut: boolean;
  usage: TokenSums;
}

/** Rejects with AndironError or ApiFailure where there is no answer. */
export async function askAgent({
  rpc,
  sessionId,
  text,
  signal,
  onStart,
  onText,
  onTool,
  onToolEnd,
}: AgentTurn): Promise<AgentAnswer> {
  let answer = '';
  let isBetween = false;
  const requests: RequestUsage[] = [];
  const tools = new Map<string, ToolItem>();
  const say = (piece: string): void => {
    const isNext = isBetween && answer !== '';
    isBetween = false;
    answer += isNext ? betweenTexts + piece : piece;
    onText(piece, isNext);
  };
  let isSent = false;
  try {
    const result = await followTurn({
      rpc,
      sessionId,
      signal,
      async send() {
        isSent = true;
        const started = await rpc.call('turn/start', { sessionId, text, mayPlan: false });
        onStart(started.turnId);
        return started;
      },
      listener: {
        onEvent({ event }) {
          if (event.type === 'usage/measured') requests.push(event.usage);
          if (event.type !== 'tool/finished') return;
          const tool = tools.get(event.itemId);
          if (tool) onToolEnd?.(tool, event.state, event.result);
        },
        onText: say,
        onTextEnd: () => (isBetween = true),
        // Whoever reads the answer there sees no notes.
        onMark: say,
        onModel: () => undefined,
        onTool(tool) {
          if (tool.parentCallId !== undefined) return;
          tools.set(tool.id, tool);
          onTool?.(tool);
        },
        onPlan: () => undefined,
        onQuestion: () => undefined,
        onResolved: () => undefined,
      },
    });
    return { turnId: result.turnId, text: answer, isCut: isCut(result), usage: sumTokens(requests) };
  } catch (error) {
    throw isSent ? afterBeginning(error) : error;
  }
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
