/** Tools of other programs, as the newest search of a turn found them. */
import type { LoadedTool } from '../../tools/tool.ts';
import { toolSearch } from '../steps/steps.ts';
import { hasUnsaid } from '../steps/unsaid-arguments.ts';
import type { CallRecord, MadeCall } from './discipline.ts';

/** A call whose tool is for something else. */
export const notMade = {
  content: 'Error: no tool here is made for this.',
  isUnmeant: true,
};

export class FoundTools {
  #tools: readonly LoadedTool[] = [];

  get tools(): readonly LoadedTool[] {
    return this.#tools;
  }

  take(tools: readonly LoadedTool[] | undefined): void {
    this.#tools = tools ?? this.#tools;
  }

  /** Something in the call was said nowhere, so its tool may be for something else. @param words of the conversation. */
  mayBeUnmeant({ name, args }: MadeCall, words: readonly string[], calls: readonly CallRecord[]): boolean {
    const { name: called, arguments: given } = (args ?? {}) as { name?: unknown; arguments?: unknown };
    const found = this.#tools.find((tool) => tool.name === called);
    if (name !== 'tool_call' || !found || typeof given !== 'object' || given === null) return false;
    // A server says what it was called with where it fails.
    const seen = calls.filter((call) => call.ok && call.name !== toolSearch);
    const results = seen.map(({ content }) => content);
    return hasUnsaid(given as Record<string, unknown>, found.schema, [...words, ...results].join('\n'));
  }
}
