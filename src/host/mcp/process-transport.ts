/** A server that is a process: a message on each line of its input and output. */
import type { Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ProcessEnd, ProcessRequest } from '../../platform/processes.ts';
import { parseJson } from '../../protocol/json.ts';
import { maxServerMessage } from '../../protocol/limits.ts';

/** Of what it says beside the protocol. */
const maxLastWords = 2_000;

/** Starts it. Resolves when it is over; rejects where it could not be started. */
export type RunServer = (
  io: Pick<ProcessRequest, 'onOutput' | 'onInput' | 'signal' | 'outputLimit'>,
) => Promise<Pick<ProcessEnd, 'killed'>>;

type Io = Pick<Transport, 'start' | 'send' | 'close' | 'onclose' | 'onerror' | 'onmessage'>;

export class ProcessTransport implements Io {
  /** By these two the library knows a pipe from HTTP. */
  readonly stderr = null;
  readonly pid = null;
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #run: RunServer;
  readonly #ending = new AbortController();
  #input: Writable | undefined;
  #over: Promise<void> | undefined;
  #pending = '';
  #lastWords = '';

  constructor(run: RunServer) {
    this.#run = run;
  }

  /** The end of what it wrote beside the protocol: foreign text, and it may hold keys. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  start(): Promise<void> {
    const started = Promise.withResolvers<void>();
    const over = this.#run({
      signal: this.#ending.signal,
      outputLimit: Infinity,
      onInput: (input) => {
        this.#input = input;
        started.resolve();
      },
      onOutput: (stream, text) => {
        if (stream === 'stdout') this.#read(text);
        else this.#lastWords = (this.#lastWords + text).slice(-maxLastWords);
      },
    });
    this.#over = over.then(
      () => this.#end(),
      (error: unknown) => {
        started.reject(error instanceof Error ? error : new Error(String(error)));
        this.#end();
      },
    );
    // One that is over before it was started said nothing.
    void this.#over.then(() => started.reject(new Error('It ended at once.')));
    return started.promise;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#input;
    if (!input?.writable) return Promise.reject(new Error('The server has ended.'));
    input.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Resolves when it and all that it started are gone. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#over;
  }

  #end(): void {
    this.#input = undefined;
    const { onclose } = this;
    this.onclose = undefined;
    onclose?.();
  }

  #read(text: string): void {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#take(this.#pending + line);
      this.#pending = '';
    }
    // Only what came is looked through: a long line would be read again with each piece of it.
    this.#pending += rest;
    if (this.#pending.length <= maxServerMessage) return;
    // With more the server is ended: nothing else bounds what it writes.
    this.#pending = '';
    this.onerror?.(new Error('A message was too long.'));
    this.#ending.abort();
  }

  /** Many servers print other things there, too. */
  #take(line: string): void {
    let message: unknown;
    try {
      message = line.length > maxServerMessage ? undefined : parseJson(line);
    } catch {
      return;
    }
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return;
    this.onmessage?.(message as JSONRPCMessage);
  }
}
