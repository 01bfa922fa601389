/** Asking a scripted host through the real provider, and what came of it. */
import { createOpenAiProvider } from '../../src/host/providers/openai.ts';
import type { ModelRequest, ReplyEvent } from '../../src/host/providers/provider.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { openAiServer, type Answer, type OpenAiServer } from './openai-server.ts';

/** The hosts of one test file. */
export class ScriptedHosts {
  readonly #servers: OpenAiServer[] = [];

  async serve(...answers: Answer[]): Promise<OpenAiServer> {
    const server = await openAiServer(...answers);
    this.#servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    for (const server of this.#servers.splice(0)) await server.close();
  }
}

export const plainRequest = (url: string, changes: Partial<ModelRequest> = {}): ModelRequest => ({
  url,
  purpose: 'main',
  model: 'm',
  history: { echoThinking: true, textBesideCall: true },
  mayHalveCalls: false,
  head: { system: 'Be good.', tools: [] },
  messages: [{ role: 'user', content: 'Hi' }],
  plan: { model: 'm', options: { num_ctx: 4096 }, shift: false },
  think: undefined,
  sampling: {},
  maxOutputTokens: 100,
  timeouts: { firstTokenMs: 120_000, idleMs: 60_000 },
  ...changes,
});

export interface Outcome {
  /** What came, also before an error. */
  events: ReplyEvent[];
  error: unknown;
}

/** Hosts that want none. */
export const noKeys = { keyOf: (): Promise<undefined> => Promise.resolve(undefined) };

export async function askHost(
  { url }: Pick<OpenAiServer, 'url'>,
  changes: Partial<ModelRequest> = {},
  apiKey?: string,
): Promise<Outcome> {
  const provider = createOpenAiProvider({
    clock: systemClock,
    name: 'Lab',
    readKey: () => Promise.resolve(apiKey),
  });
  const events: ReplyEvent[] = [];
  try {
    const signal = new AbortController().signal;
    for await (const event of provider.stream(plainRequest(url, changes), signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

export const textOf = (events: readonly ReplyEvent[], type: 'text' | 'thinking'): string =>
  events.map((event) => (event.type === type ? event.text : '')).join('');
export const callsOf = (events: readonly ReplyEvent[]) => events.filter((event) => event.type === 'call');
export const doneOf = (events: readonly ReplyEvent[]) => events.find((event) => event.type === 'done');
