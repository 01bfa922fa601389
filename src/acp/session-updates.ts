/** What happens in a session, as an editor is told: items and events become updates of the Agent Client Protocol. */
import { isAbsolute, join } from 'node:path';
import type {
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolCallStatus,
  ToolKind,
} from '@agentclientprotocol/sdk';
import type { TurnEvent } from '../protocol/events.ts';
import type { Item, PlanStep, ToolDisplay, ToolItem, ToolState } from '../protocol/model.ts';
import type { ToolName } from '../protocol/tools.ts';
import { answerMark } from '../rules/answer-mark.ts';
import { visibleName } from '../rules/visible-text/visible-text.ts';

const kinds: Readonly<Partial<Record<ToolName, ToolKind>>> = {
  read_file: 'read',
  write_file: 'edit',
  edit_file: 'edit',
  list_files: 'search',
  glob: 'search',
  search: 'search',
  run_command: 'execute',
  todo: 'think',
  scratchpad: 'think',
  memory_search: 'search',
  switch_profile: 'switch_mode',
};

const statuses: Readonly<Record<ToolState, ToolCallStatus>> = {
  streaming: 'pending',
  awaiting_approval: 'pending',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
  declined: 'failed',
  stopped: 'failed',
  interrupted: 'failed',
};

/** Follows one session; keeps what later events refer to. */
export class SessionUpdates {
  readonly #folder: string;
  readonly #items = new Map<string, Item>();

  /** @param folder that relative paths of its tools are relative to */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The updates of an event, in their order. What a subagent does stays in the card of its call. */
  of(event: TurnEvent): SessionUpdate[] {
    const handle = this.#handlers[event.type] as ((event: TurnEvent) => SessionUpdate[]) | undefined;
    return handle?.(event) ?? [];
  }

  /** Of what is not named here an editor is not told. */
  readonly #handlers: {
    [K in TurnEvent['type']]?: (event: Extract<TurnEvent, { type: K }>) => SessionUpdate[];
  } = {
    'item/started': ({ item }) => this.#begin(item),
    'item/delta': ({ itemId, text }) => this.#written(itemId, text),
    'item/rewritten': ({ steps }) => (steps ? [plan(steps)] : []),
    'todo/changed': ({ todo }) => [plan(todo.steps)],
    'tool/started': ({ itemId }) =>
      this.#tool(itemId, ({ callId }) => [
        { sessionUpdate: 'tool_call_update', toolCallId: callId, status: 'in_progress' },
      ]),
    'tool/finished': (event) => this.#tool(event.itemId, (item) => [this.#finished({ ...item, ...event })]),
    'context/measured': ({ context }) => [
      { sessionUpdate: 'usage_update', used: context.usedTokens, size: context.windowTokens },
    ],
  };

  /** An item that is over, for a session that is loaded. */
  replay(item: Item): SessionUpdate[] {
    if (item.parentCallId !== undefined) return [];
    if (item.kind === 'user') return [chunk('user_message_chunk', item.id, item.text)];
    const begun = this.#begin(item);
    if (item.kind === 'plan') return [...begun, plan(item.steps)];
    return item.kind === 'tool' ? [...begun, this.#finished(item)] : begun;
  }

  /** What would happen, for a question about it; undefined = the item is not known. */
  preview(
    itemId: string,
    preview: ToolDisplay | null,
  ): { toolCallId: string; content: ToolCallContent[] } | undefined {
    const item = this.#items.get(itemId);
    if (item?.kind !== 'tool') return undefined;
    return { toolCallId: item.callId, content: preview ? this.#content(preview) : [] };
  }

  #begin(item: Item): SessionUpdate[] {
    if (item.parentCallId !== undefined) return [];
    this.#items.set(item.id, item);
    switch (item.kind) {
      case 'thinking':
      case 'text':
        return this.#written(item.id, item.text);
      case 'tool':
        return [
          {
            sessionUpdate: 'tool_call',
            toolCallId: item.callId,
            title: visibleName(`${item.tool} ${item.subject}`.trim()),
            kind: kinds[item.tool as ToolName] ?? 'other',
            status: statuses[item.state],
            locations: this.#locations(item),
            rawInput: item.args,
          },
        ];
      case 'note': {
        const mark = answerMark(item);
        return mark === undefined ? [] : [chunk('agent_message_chunk', item.id, mark)];
      }
      case 'user':
      case 'plan':
      case 'summary':
      case 'switch':
      case 'stopped':
      case 'error':
        return [];
    }
  }

  #written(itemId: string, text: string): SessionUpdate[] {
    const kind = this.#items.get(itemId)?.kind;
    if (text === '') return [];
    if (kind === 'thinking') return [chunk('agent_thought_chunk', itemId, text)];
    return kind === 'text' ? [chunk('agent_message_chunk', itemId, text)] : [];
  }

  #tool(itemId: string, updates: (item: ToolItem) => SessionUpdate[]): SessionUpdate[] {
    const item = this.#items.get(itemId);
    return item?.kind === 'tool' ? updates(item) : [];
  }

  #finished({
    callId,
    state,
    result,
    display,
  }: Pick<ToolItem, 'callId' | 'state' | 'result' | 'display'>): SessionUpdate {
    const content =
      display?.kind === 'diff'
        ? this.#content(display)
        : [{ type: 'content' as const, content: { type: 'text' as const, text: result } }];
    const place =
      display?.kind === 'file'
        ? {
            path: this.#absolute(display.path),
            line: display.readAs === undefined ? display.firstLine : null,
          }
        : null;
    return {
      sessionUpdate: 'tool_call_update',
      toolCallId: callId,
      status: statuses[state],
      content,
      ...(place && { locations: [place] }),
    };
  }

  /** Each part of a change stands for itself: an editor shows the lines before and after it. */
  #content(display: ToolDisplay): ToolCallContent[] {
    if (display.kind !== 'diff') return [];
    const { path, hunks } = display;
    return hunks.map(({ lines }) => {
      const old = sideOf(lines, '-');
      return {
        type: 'diff',
        path: this.#absolute(path),
        oldText: old === '' ? null : old,
        newText: sideOf(lines, '+'),
      };
    });
  }

  #locations({ args }: ToolItem): { path: string }[] {
    if (typeof args !== 'object' || args === null || !('path' in args)) return [];
    return typeof args.path === 'string' && args.path !== '' ? [{ path: this.#absolute(args.path) }] : [];
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : join(this.#folder, path);
  }
}

/** The lines of a hunk before or after the change. */
function sideOf(lines: readonly string[], sign: '-' | '+'): string {
  return lines
    .filter((line) => line.startsWith(' ') || line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n');
}

function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  messageId: string,
  text: string,
): SessionUpdate {
  return { sessionUpdate, messageId, content: { type: 'text', text } };
}

/** The whole list each time. A step that failed is not done, and the protocol has no word for it. */
function plan(steps: readonly PlanStep[]): SessionUpdate {
  const statusOf: Readonly<Record<PlanStep['status'], PlanEntry['status']>> = {
    pending: 'pending',
    in_progress: 'in_progress',
    done: 'completed',
    skipped: 'completed',
    failed: 'pending',
  };
  const entries = steps.map(({ text, status }): PlanEntry => ({
    content: text,
    priority: 'medium',
    status: statusOf[status],
  }));
  return { sessionUpdate: 'plan', entries };
}
