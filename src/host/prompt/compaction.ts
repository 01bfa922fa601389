/**
 * The only moment that rewrites the log (design 5.6): older turns become a summary, recent ones stay as they are. Pure:
 * what the log becomes, not when. Calls and their results are never split, and the newest message stays whole (X12 i).
 */
import type { ContextMessage } from '../providers/provider.ts';

/** A message with the turn that it came with; null = a summary of turns that are gone. */
export interface LogEntry {
  message: ContextMessage;
  turnId: string | null;
}

/** The log in three parts: summarised, kept, and the turn that goes on. */
export interface Cut {
  older: LogEntry[];
  kept: LogEntry[];
}

const acknowledged = 'I have read the summary and go on from there.';
const summaryTitle = 'Summary of the conversation so far:';

/** Lines of a summary by rules; failed calls that stay as they were (2.2). */
const mostLines = 24;
const keptFailures = 3;
const longestDetail = 160;
/** A result in the turn that goes on is shortened to this, then to that, when nothing else helps. */
const shortResults = [1500, 300] as const;

/** All but the newest `turns` turns may go. */
export function cutBefore(log: readonly LogEntry[], turns: number): Cut {
  const starts = turnStarts(log);
  const at = starts.at(-turns) ?? 0;
  return { older: log.slice(0, at), kept: log.slice(at) };
}

export function countTurns(log: readonly LogEntry[]): number {
  return turnStarts(log).length;
}

/** In the turn that goes on: its message and its newest `steps` replies with their results stay. */
export function cutWithin(log: readonly LogEntry[], steps: number): Cut {
  const start = turnStarts(log).at(-1) ?? 0;
  const replies = log.flatMap(({ message }, index) =>
    index > start && message.role === 'assistant' ? [index] : [],
  );
  const from = replies.at(-steps) ?? log.length;
  const isKept = (index: number): boolean => index === start || index >= from;
  return {
    older: log.filter((_, index) => !isKept(index)),
    kept: log.filter((_, index) => isKept(index)),
  };
}

/** Opening + summary + what is kept: the log from now on. */
export function summarised(opening: string, summary: string, kept: readonly LogEntry[]): LogEntry[] {
  const content = `${opening}${summaryTitle}\n${summary.trim()}`;
  return [
    { message: { role: 'user', content }, turnId: null },
    { message: { role: 'assistant', content: acknowledged, thinking: '', calls: [] }, turnId: null },
    ...kept.map((entry) => ({ ...entry, message: withoutOpening(entry.message, opening) })),
  ];
}

/** Results of older calls of the running turn, shortened: the last way to make room before giving up. */
export function shortened(log: readonly LogEntry[], round: 0 | 1): LogEntry[] {
  const most = shortResults[round];
  const lastResult = log.findLastIndex(({ message }) => message.role === 'tool');
  return log.map((entry, index) => {
    const { message } = entry;
    if (message.role !== 'tool' || index === lastResult || message.content.length <= most) return entry;
    return {
      ...entry,
      message: { ...message, content: `${message.content.slice(0, most)}\n... [truncated]` },
    };
  });
}

export const shortenings = [0, 1] as const;

/** What the rules know of the older turns: what was asked, what was done, what failed. */
export function summaryByRules(older: readonly LogEntry[]): string {
  const before = older.flatMap(({ message }) => earlierSummary(message));
  const lines = older.flatMap(({ message }, index) => describe(message, older, index));
  const failures = older
    .flatMap(({ message }) => (message.role === 'tool' && isFailure(message.content) ? [message] : []))
    .slice(-keptFailures)
    .map(({ tool, content }) => `${tool} failed: ${content.slice(0, 4 * longestDetail)}`);
  return [...before.map((text) => text.slice(0, 2_000)), ...lines.slice(-mostLines), ...failures].join('\n');
}

/** The first message of the session carries the opening; it stands at the new beginning now. */
function withoutOpening(message: ContextMessage, opening: string): ContextMessage {
  if (message.role !== 'user' || opening === '' || !message.content.startsWith(opening)) return message;
  return { ...message, content: message.content.slice(opening.length) };
}

/** A user message begins a turn unless it belongs to the one before (a plan's trigger); older Andirons named no turns. */
function turnStarts(log: readonly LogEntry[]): number[] {
  return log.flatMap(({ message, turnId }, index) => {
    if (message.role !== 'user') return [];
    const before = log[index - 1];
    const sameTurn = turnId !== null && before !== undefined && before.turnId === turnId;
    return sameTurn || isSummary(message) ? [] : [index];
  });
}

function isSummary(message: ContextMessage): boolean {
  return message.role === 'user' && message.content.includes(summaryTitle);
}

function earlierSummary(message: ContextMessage): string[] {
  if (!isSummary(message)) return [];
  return [message.content.slice(message.content.indexOf(summaryTitle) + summaryTitle.length).trim()];
}

function describe(message: ContextMessage, log: readonly LogEntry[], index: number): string[] {
  switch (message.role) {
    case 'user':
      return isSummary(message) ? [] : [`- asked: ${oneLine(message.content)}`];
    case 'assistant': {
      const said =
        message.content.trim() === '' || message.content === acknowledged
          ? []
          : [`- answered: ${oneLine(message.content)}`];
      return [
        ...said,
        ...message.calls.map(
          (call) => `- ${call.name} ${oneLine(JSON.stringify(call.args))}: ${outcome(call.id, log, index)}`,
        ),
      ];
    }
    case 'tool':
      return [];
  }
}

function outcome(callId: string, log: readonly LogEntry[], from: number): string {
  for (const { message } of log.slice(from + 1)) {
    if (message.role === 'tool' && message.callId === callId)
      return isFailure(message.content) ? 'failed' : 'done';
  }
  return 'no result';
}

const isFailure = (content: string): boolean => /^(?:Tool error|Error):/.test(content);

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longestDetail ? line : `${line.slice(0, longestDetail)}…`;
}

/** Asked on the live prefix, so that only this text is read (design 5.5). */
export const summaryInstruction = `Write a summary of this conversation for yourself: it will replace the older messages. Call no tool.
Use these headings and leave out the empty ones: Goal, Active files, Decisions, Done, Pending, Errors, Key values.
Name files, commands and values exactly. Keep what the user corrected. At most 400 words.`;
