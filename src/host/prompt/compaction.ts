/**
 * The only moment that rewrites the log: older turns become a summary, recent ones stay as they are. Pure:
 * what the log becomes, not when. Calls and their results are never split, and the newest message stays whole (X12 i).
 */
import { imageInWords, type ContextMessage } from '../providers/provider.ts';
import { withoutAttached } from './attached.ts';
import { withoutNotes } from './notes.ts';
import { isLoadedSkill } from './skill-text.ts';

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

/** Lines of a summary by rules; failed calls that stay as they were. */
const maxLines = 24;
const keptFailures = 3;
const maxDetailLength = 160;
/** Of a summary that is folded into the next. */
const maxEarlierLength = 2_000;
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
  // With fewer replies than may stay, all of them do.
  const from = replies.at(-steps) ?? start + 1;
  const isKept = (index: number): boolean => index === start || index >= from;
  return {
    older: log.filter((_, index) => !isKept(index)),
    kept: log.filter((_, index) => isKept(index)),
  };
}

/**
 * Opening + summary + what was loaded and goes on + what is kept: the log from now on. Its first message has no turn, which tells it
 * from a person's.
 */
export function summarised(
  opening: string,
  summary: string,
  kept: readonly LogEntry[],
  loads: readonly ContextMessage[] = [],
): LogEntry[] {
  const content = `${opening}${summaryTitle}\n${summary.trim()}`;
  return [
    { message: { role: 'user', content, opening: opening.length }, turnId: null },
    ...loads.map((message) => ({ message, turnId: null })),
    { message: { role: 'assistant', content: acknowledged, thinking: '', calls: [] }, turnId: null },
    ...kept.map((entry) => ({ ...entry, message: withoutOpening(entry.message, opening) })),
  ];
}

/**
 * Skills and tools of other programs that were loaded in what goes and not in what stays, as one reply that loads them with
 * its results: a summary would lose what they say. The newest first, as many as fit into so many characters.
 */
export function carriedLoads(
  older: readonly LogEntry[],
  kept: readonly LogEntry[],
  most: number,
): ContextMessage[] {
  const loadsIn = (log: readonly LogEntry[]) =>
    log.flatMap(({ message }) =>
      message.role === 'tool' && isLoad(message)
        ? [{ ...message, content: withoutNotes(message.content) }]
        : [],
    );
  const seen = new Set(loadsIn(kept).map(loadedBy));
  let left = most;
  const results = loadsIn(older)
    .toReversed()
    .filter((result) => {
      if (seen.has(loadedBy(result))) return false;
      seen.add(loadedBy(result));
      return (left -= result.content.length) >= 0;
    })
    .toReversed();
  const made = new Map(
    older.flatMap(({ message }) =>
      message.role === 'assistant' ? message.calls.map((call) => [call.id, call] as const) : [],
    ),
  );
  const calls = results.flatMap(({ callId }) => made.get(callId) ?? []);
  return calls.length === 0 ? [] : [{ role: 'assistant', content: '', thinking: '', calls }, ...results];
}

type Load = Pick<Extract<ContextMessage, { role: 'tool' }>, 'tool' | 'content'>;
const searchTool = 'tool_search';

const isLoad = ({ tool, content }: Load): boolean =>
  tool === 'load_skill' ? isLoadedSkill(content) : tool === searchTool && !isFailure(content);

/** What tells one of them from another: the name of a skill, or all that a search has found. */
const loadedBy = ({ tool, content }: Load): string =>
  tool === searchTool ? content : content.slice(0, content.indexOf('\n'));

/** Results of older calls of the running turn, shortened: the last way to make room before giving up. */
export function shortened(log: readonly LogEntry[], round: 0 | 1): LogEntry[] {
  const most = shortResults[round];
  const lastResult = log.findLastIndex(({ message }) => message.role === 'tool');
  return log.map((entry, index) => {
    const { message } = entry;
    if (message.role !== 'tool' || index === lastResult) return entry;
    const { files = [], ...rest } = message;
    const { content } = message;
    if (content.length <= most && files.length === 0) return entry;
    const text = content.length <= most ? content : `${cutText(content, most)}\n... [truncated]`;
    // A picture takes as much room as a long result.
    return { ...entry, message: { ...rest, content: [text, ...files.map(imageInWords)].join('\n') } };
  });
}

export const shortenings = [0, 1] as const;

export interface SummaryRules {
  /** As it would be written now: what memory says of it may have changed since the first message. */
  opening: string;
  /** Characters, so that the summary of a small window leaves room in it; what is oldest goes first. */
  most: number;
}

/** What the rules know of the older turns: what was said in a summary of them, what was asked, done, and what failed. */
export function summaryByRules(older: readonly LogEntry[], { opening, most }: SummaryRules): string {
  const before = cutText(older.flatMap(earlierSummary).join('\n'), Math.min(maxEarlierLength, most / 2));
  const plain = older.map((entry) => ({ ...entry, message: withoutOpening(entry.message, opening) }));
  const lines = plain.flatMap((entry, index) => describe(entry, plain, index));
  const failures = older
    .flatMap(({ message }) => (message.role === 'tool' && isFailure(message.content) ? [message] : []))
    .slice(-keptFailures)
    .map(({ tool, content }) => `${tool} failed: ${cutText(withoutNotes(content), 4 * maxDetailLength)}`);
  const rest = newest([...lines.slice(-maxLines), ...failures], most - before.length);
  return [...(before === '' ? [] : [before]), ...rest].join('\n');
}

function newest(lines: readonly string[], characters: number): string[] {
  let left = characters;
  const from = lines.findLastIndex((line) => (left -= line.length + 1) < 0);
  return lines.slice(from + 1);
}

/** The first message of the session carries the opening as it was then; as it is now it stands at the new beginning. */
function withoutOpening(message: ContextMessage, opening: string): ContextMessage {
  if (message.role !== 'user') return message;
  const { opening: sent, ...rest } = message;
  const length = sent ?? (message.content.startsWith(opening) ? opening.length : 0);
  return length === 0 ? message : { ...rest, content: message.content.slice(length) };
}

/** A user message begins a turn unless it belongs to the one before (a plan's trigger); older Andirons named no turns. */
function turnStarts(log: readonly LogEntry[]): number[] {
  return log.flatMap(({ message, turnId }, index) => {
    if (message.role !== 'user') return [];
    const before = log[index - 1];
    const sameTurn = turnId !== null && before !== undefined && before.turnId === turnId;
    return sameTurn || isSummary({ message, turnId }) ? [] : [index];
  });
}

/** It stands for older messages. A person may write those words too, in a turn. */
export function isSummary({ message, turnId }: LogEntry): boolean {
  return turnId === null && message.role === 'user' && message.content.includes(summaryTitle);
}

function earlierSummary(entry: LogEntry): string[] {
  if (entry.message.role !== 'user' || !isSummary(entry)) return [];
  const { content, opening = 0 } = entry.message;
  return [content.slice(content.indexOf(summaryTitle, opening) + summaryTitle.length).trim()];
}

function describe({ message, turnId }: LogEntry, log: readonly LogEntry[], index: number): string[] {
  switch (message.role) {
    case 'user':
      return isSummary({ message, turnId })
        ? []
        : [`- asked: ${oneLine(askedIn(message))}${filesIn(message)}`];
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

type UserMessage = Extract<ContextMessage, { role: 'user' }>;

const askedIn = (message: UserMessage): string =>
  withoutAttached({ ...message, content: withoutNotes(message.content) });

/** Names and places stay, the pictures go. */
function filesIn({ files = [] }: UserMessage): string {
  const named = files.map((file) =>
    file.kind === 'image' ? imageInWords(file) : `[file: ${file.name}, ${file.path}]`,
  );
  return named.map((name) => ` ${name}`).join('');
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
  return line.length <= maxDetailLength ? line : `${cutText(line, maxDetailLength)}…`;
}

/** Half of a surrogate pair is no character. */
function cutText(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/** Asked on the live prefix, so that only this text is read. */
export const summaryInstruction = `Write a summary of this conversation for yourself: it will replace the older messages. Call no tool.
Use these headings and leave out the empty ones: Goal, Active files, Decisions, Done, Pending, Errors, Key values.
Name files, commands and values exactly. Keep what the user corrected. At most 400 words.`;
