/** What was said and done in a session, as rows of messages (L3, P15): the same data in another shape, kept nowhere. */
import type { Item, ToolItem, ToolState, Turn } from '../protocol/model.ts';
import { toolModules, type ToolName } from '../protocol/tools.ts';
import { answerMark } from '../rules/answer-mark.ts';
import { sumTokens } from '../rules/sum-tokens.ts';
import type { Row } from './program-form.ts';

/** Of whole turns, in their order. What subagents say stays within them; a turn that runs has no answer yet. */
export function rowsOf(items: readonly Item[], turns: readonly Turn[]): Row[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const answers = new Map(items.flatMap((item) => (isAnswer(item) ? [[item.turnId, item.id] as const] : [])));
  const marks = new Map(
    items.flatMap((item) => (answerMark(item) === undefined ? [] : [[item.turnId, answerMark(item)]])),
  );
  return items.flatMap((item) => {
    if (item.parentCallId !== undefined) return [];
    const base = { id: item.id, turn_id: item.turnId, at: item.startedAt };
    if (item.kind === 'user') return [{ ...base, role: 'user' as const, content: item.text }];
    if (item.kind === 'tool') return toolRows(base, item);
    const turn = byId.get(item.turnId);
    if (item.kind !== 'text' || answers.get(item.turnId) !== item.id || !turn) return [];
    const { status } = turn;
    if (status === 'queued' || status === 'running') return [];
    return [
      {
        ...base,
        role: 'assistant' as const,
        content: item.text,
        mark: marks.get(item.turnId) ?? null,
        status,
        token_count: sumTokens(turn.usage).outputTokens,
        model_used: turn.model,
      },
    ];
  });
}

/** The last one of a turn is. */
const isAnswer = (item: Item): boolean =>
  item.kind === 'text' && item.parentCallId === undefined && item.text.trim() !== '';

function toolRows(base: Pick<Row, 'id' | 'turn_id' | 'at'>, tool: ToolItem): Row[] {
  const call = { ...base, tool_use_id: tool.callId, name: shownName(tool.tool) };
  const { state: status, result: text } = tool;
  const rows: Row[] = [{ ...call, role: 'tool_call', arguments: tool.args }];
  if (!isOver(status)) return rows;
  const [result, error] = status === 'done' ? [text, null] : [null, text];
  const id = `${tool.id}_result`;
  const at = tool.completedAt ?? tool.startedAt;
  return [...rows, { ...call, id, at, role: 'tool_result', status, result, error }];
}

/** With its module (G11): models know tools by the second half alone. */
const shownName = (tool: string): string => (isToolName(tool) ? `${toolModules[tool]}.${tool}` : tool);

const isToolName = (tool: string): tool is ToolName => Object.hasOwn(toolModules, tool);

const isOver = (
  state: ToolState,
): state is Exclude<ToolState, 'streaming' | 'awaiting_approval' | 'running'> =>
  state !== 'streaming' && state !== 'awaiting_approval' && state !== 'running';
