/** What the two tools of the bridge need of the servers that are set up. */

import type { AskForm, ResultPicture, ToolSchema } from './tool.ts';

export interface FoundTool {
  /** `server.tool`: what `tool_call` takes. */
  name: string;
  /** Foreign text. */
  description: string;
  /** JSON Schema. */
  parameters: string;
  /** What a grammar can write of them; null = not even those that are required. */
  schema: ToolSchema | null;
  /** What is said of its arguments, by their names. Foreign text in one line each. */
  hints: Readonly<Record<string, string>>;
}

export interface McpAccess {
  /** The best first. Starts servers whose tools may have changed; rejects with the signal's reason. */
  search(query: string, signal: AbortSignal): Promise<FoundTool[]>;
  /** Sends nothing. Rejects with ToolFailure where its tool is not allowed as it is now, or the arguments do not fit it. */
  check(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<void>;
  /** Checks once more. `isError`: by the word of the server. Throws ToolFailure where no answer came. */
  call(
    name: string,
    args: Record<string, unknown>,
    way: { signal: AbortSignal; onProgress: (line: string) => void; ask: AskForm | null },
  ): Promise<{ text: string; pictures: readonly ResultPicture[]; isError: boolean }>;
}
