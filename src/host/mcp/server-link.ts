/** One server: connected when it is wanted, started again with a growing pause when it dies, and given up with a reason. */
import type { CallToolResult, Client, Progress, Transport } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError, asSentence, toWireError } from '../../protocol/errors.ts';
import type { McpServerState } from '../../protocol/mcp-methods.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { AskForm } from '../tools/tool.ts';
import { startCallLimit } from './call-limit.ts';
import { Elicitations } from './elicitations.ts';
import { ServerOffers } from './server-offers.ts';
import { pinDefinitions, type PinnedDefinition, type ToolDefinition } from './definitions.ts';

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Ends in a row, none of which came after it had worked this long. */
const maxEnds = 6;
const stableMs = 60_000;
/** An address that was given up may be reached again: whoever wants it later tries, this rarely. */
const tryAgainMs = 60_000;
const connectMs = 30_000;
const maxPages = 16;
/** Beyond what a timer takes: a call has limits of its own. */
const withoutLimit = 2 ** 31 - 1;

export interface OpenedTransport {
  transport: Transport;
  /** Whoever says nothing for so long to the question which versions it speaks is old. */
  probeMs: number;
  /** Or it goes away at that question. */
  endsIfOld: boolean;
  /** What it said as it failed, without what is secret. */
  lastWords: () => string;
}

export interface ServerLinkDeps {
  /** As the person knows it. */
  name: string;
  /** It runs elsewhere: that it cannot be reached says nothing about it. */
  isAtAddress: boolean;
  /** A new process or connection. Rejects with AndironError where there can be none. */
  open: () => Promise<OpenedTransport>;
  clock: Clock;
  /** Andiron's own. */
  version: string;
  /** All that it has, after each change. */
  onTools: (tools: readonly PinnedDefinition[], leftOut: number) => void;
  onState: (state: McpServerState) => void;
}

interface CallWay {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** How the server may ask whoever the call is for; null = nobody sits there. */
  ask: AskForm | null;
}

interface Connected {
  client: Client;
  offers: ServerOffers;
  at: number;
}

export class ServerLink {
  readonly #deps: ServerLinkDeps;
  readonly #elicitations: Elicitations;
  #state: McpServerState = { state: 'idle' };
  #attempt: Promise<void> | undefined;
  #connected: Connected | undefined;
  #pause: Timer | undefined;
  #ends = 0;
  /** When somebody who wants it may try it although it was given up; null = only the person may. */
  #againAt: number | null = null;
  readonly #closing = new AbortController();
  /** It ended as it was asked in the newer way, so it is greeted in the older one. */
  #isLegacy = false;

  constructor(deps: ServerLinkDeps) {
    this.#deps = deps;
    this.#elicitations = new Elicitations(deps.name);
  }

  get state(): McpServerState {
    return this.#state;
  }

  /** What it has beside tools; null = it is not connected now. */
  get offers(): ServerOffers | null {
    return this.#connected?.offers ?? null;
  }

  /** Connects it where nobody did yet. Resolves when its tools are known, or cannot be had now. Never rejects. */
  wake(): Promise<void> {
    // Of one that failed the pause decides, or the person.
    if (this.#state.state !== 'failed' || this.#mayTryAgain()) this.#begin();
    return this.#attempt ?? Promise.resolve();
  }

  /** Likewise, also after it failed; one that is connected is asked for its tools once more. */
  async refresh(): Promise<void> {
    this.#ends = 0;
    if (this.#connected) await this.#reread(this.#connected.client);
    // An attempt under way may have begun before the server was there.
    await this.#attempt;
    this.#begin();
    await this.#attempt;
  }

  /** Rejects with AndironError where it is not connected, and with the library's error where the call fails. */
  async call(
    tool: ToolDefinition,
    args: Record<string, unknown>,
    { signal, onProgress, ask }: CallWay,
  ): Promise<CallToolResult> {
    const { client } = this.#connected ?? {};
    if (!client) throw notAvailable();
    const { name, inputSchema } = tool;
    const limit = startCallLimit(this.#deps.clock);
    const asking: AskForm | null =
      ask && ((question, withdrawn) => limit.whilePaused(() => ask(question, withdrawn)));
    try {
      const until = AbortSignal.any([signal, limit.signal]);
      const send = (): Promise<CallToolResult> =>
        client.callTool(
          { name, arguments: args },
          {
            signal: until,
            timeout: withoutLimit,
            onprogress(progress) {
              limit.news();
              onProgress(progress);
            },
            // Without the schema of its output: what it answers is text for the model, whatever it says of it.
            toolDefinition: { name, inputSchema: { ...inputSchema, type: 'object' } },
          },
        );
      return await this.#elicitations.during(asking, () =>
        send().catch(async (error: unknown) => {
          if (!(await this.#isPrepared(error, until))) throw error;
          return send();
        }),
      );
    } catch (error) {
      if (limit.signal.aborted) throw tooSlow();
      if (!signal.aborted && (await isLost(error))) this.#lose(error);
      throw error;
    } finally {
      limit.cancel();
    }
  }

  /** Whether the call failed for want of pages that the person opened by now. */
  async #isPrepared(failure: unknown, signal: AbortSignal): Promise<boolean> {
    const { UrlElicitationRequiredError } = await import('@modelcontextprotocol/client');
    if (!(failure instanceof UrlElicitationRequiredError) || failure.elicitations.length === 0) return false;
    const answers = failure.elicitations.map((wanted) => this.#elicitations.answer(wanted, signal));
    return (await Promise.all(answers)).every(({ action }) => action === 'accept');
  }

  /** Resolves when it is gone. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#pause?.cancel();
    await this.#connected?.client.close().catch(() => undefined);
    await this.#attempt;
  }

  #mayTryAgain(): boolean {
    return this.#againAt !== null && this.#deps.clock.monotonic() >= this.#againAt;
  }

  #set(state: McpServerState): void {
    this.#state = state;
    this.#deps.onState(state);
  }

  #begin(): void {
    if (this.#closing.signal.aborted || this.#connected) return;
    this.#pause?.cancel();
    this.#attempt ??= this.#connect().finally(() => (this.#attempt = undefined));
  }

  async #connect(): Promise<void> {
    this.#set({ state: 'connecting' });
    let opened: OpenedTransport | undefined;
    try {
      opened = await this.#deps.open();
      const client = await this.#greet(opened);
      if (client) await this.#adopt(client);
      else await this.#adopt(await this.#greetOld());
    } catch (error) {
      this.#fail(error, opened?.lastWords() ?? '');
    }
  }

  /** A server that ends at a question that it does not know is an old one. */
  async #greetOld(): Promise<Client> {
    this.#closing.signal.throwIfAborted();
    this.#isLegacy = true;
    const client = await this.#greet(await this.#deps.open());
    if (client) return client;
    this.#isLegacy = false;
    throw new AndironError('disconnected', 'The server ends as soon as it is greeted.');
  }

  async #adopt(client: Client): Promise<void> {
    try {
      await this.#readTools(client);
      this.#closing.signal.throwIfAborted();
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
    const { clock } = this.#deps;
    this.#connected = { client, offers: new ServerOffers(client, clock), at: clock.monotonic() };
    const { name = '', version = '' } = client.getServerVersion() ?? {};
    const server = visibleName(`${name} ${version}`.trim().slice(0, 100));
    this.#set({ state: 'ready', server, protocol: client.getNegotiatedProtocolVersion() ?? '' });
  }

  /** null = it went away meanwhile. */
  async #greet({ transport, probeMs, endsIfOld }: OpenedTransport): Promise<Client | null> {
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client(
      { name: 'andiron', version: this.#deps.version },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
        listMaxPages: maxPages,
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 1_000, onChanged: () => void this.#reread(client) },
          resources: { autoRefresh: false, onChanged: () => this.#connected?.offers.forget('resources') },
          prompts: { autoRefresh: false, onChanged: () => this.#connected?.offers.forget('prompts') },
        },
      },
    );
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      this.#elicitations.answer(params, mcpReq.signal),
    );
    client.onclose = () => this.#lose();
    let isOver = false;
    transport.onclose = () => (isOver = true);
    try {
      await client.connect(transport, {
        timeout: connectMs,
        signal: this.#closing.signal,
        ...(this.#isLegacy && { prior: { kind: 'legacy' } }),
      });
      return client;
    } catch (error) {
      const wentAway = isOver && endsIfOld;
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      if (wentAway) return null;
      throw error;
    }
  }

  async #readTools(client: Client): Promise<void> {
    const { tools } = await client.listTools(undefined, { timeout: connectMs, cacheMode: 'refresh' });
    const pinned = pinDefinitions(tools);
    this.#deps.onTools(pinned.tools, pinned.leftOut);
  }

  async #reread(client: Client): Promise<void> {
    if (this.#connected?.client !== client) return;
    await this.#readTools(client).catch(() => void client.close().catch(() => undefined));
  }

  /** It went away by itself, or no longer lets the person in. */
  #lose(reason?: unknown): void {
    const connected = this.#connected;
    this.#connected = undefined;
    if (!connected || this.#closing.signal.aborted) return;
    if (this.#deps.clock.monotonic() - connected.at >= stableMs) this.#ends = 0;
    void connected.client.close().catch(() => undefined);
    this.#fail(
      reason instanceof AndironError ? reason : new AndironError('disconnected', 'The server has ended.'),
      '',
    );
  }

  #fail(error: unknown, lastWords: string): void {
    if (this.#closing.signal.aborted) return;
    this.#ends += 1;
    const isRefused = error instanceof AndironError && error.code === 'not_allowed';
    const isFinal = this.#ends >= maxEnds || isRefused;
    const mayLater = isFinal && !isRefused && this.#deps.isAtAddress;
    this.#againAt = mayLater ? this.#deps.clock.monotonic() + tryAgainMs : null;
    const { message, advice = '' } =
      error instanceof AndironError ? toWireError(error) : { message: wordsOf(error) };
    const said = lastWords === '' ? '' : ` It said: ${asSentence(lastWords.slice(-300))}`;
    this.#set({
      state: 'failed',
      message: `${message}${said}`,
      advice: advice || 'Check its command or its address, then refresh it.',
      isFinal,
    });
    if (isFinal) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#ends - 1), maxPauseMs);
    this.#pause = this.#deps.clock.after(pauseMs, () => this.#begin());
  }
}

/** Neither an answer of the server nor silence: an address does not say that nobody is there any more, nor a lost session. */
async function isLost(error: unknown): Promise<boolean> {
  const { ProtocolError, SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
  if (error instanceof ProtocolError) return false;
  const kept = [SdkErrorCode.RequestTimeout, SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType];
  return !(error instanceof SdkError && kept.includes(error.code));
}

const tooSlow = (): AndironError =>
  new AndironError('disconnected', 'The server did not answer in time, so its tool was ended.');

const notAvailable = (): AndironError =>
  new AndironError('disconnected', 'The server of this tool is not available now.');

/** Foreign text in part, so it is bounded. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300);
