/** What one connected server has beside tools, as it lists it: bounded, and foreign text throughout. */
import type { Client, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock } from '../../platform/clock.ts';
import type { FormField } from '../../protocol/form-question.ts';
import { maxFormText } from '../../protocol/form-question.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';

const maxListed = 500;
const maxPages = 16;
const maxListMs = 5_000;
const readMs = 20_000;
const maxName = 200;
const maxDescription = 300;
const maxUri = 2_000;
const maxArguments = 32;

export interface ListedResource {
  uri: string;
  name: string;
  description: string;
}

export interface ListedPrompt {
  /** As the server knows it. */
  name: string;
  title: string;
  description: string;
  fields: FormField[];
}

type Asked = Pick<Client, 'request' | 'getServerCapabilities'>;

/** Both lists are asked for once, and again after the server said that they changed. */
export class ServerOffers {
  readonly #client: Asked;
  readonly #clock: Clock;
  #resources: Promise<ListedResource[]> | undefined;
  #prompts: Promise<ListedPrompt[]> | undefined;

  constructor(client: Asked, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Never rejects: of a server that does not answer there are none. */
  resources(): Promise<ListedResource[]> {
    return (this.#resources ??= this.#listResources().catch(() => []));
  }

  prompts(): Promise<ListedPrompt[]> {
    return (this.#prompts ??= this.#listPrompts().catch(() => []));
  }

  forget(kind: 'resources' | 'prompts'): void {
    if (kind === 'resources') this.#resources = undefined;
    else this.#prompts = undefined;
  }

  /** Rejects with the library's error, or after a while without an answer. */
  read(uri: string): Promise<ReadResourceResult> {
    return this.#inTime((options) =>
      this.#client.request({ method: 'resources/read', params: { uri } }, options),
    );
  }

  /** Likewise. */
  prompt(name: string, args: Record<string, string>): Promise<GetPromptResult> {
    return this.#inTime((options) =>
      this.#client.request({ method: 'prompts/get', params: { name, arguments: args } }, options),
    );
  }

  /** A person waits: as long as they look at it, and no longer. */
  async #inTime<T>(ask: (options: { signal: AbortSignal; timeout: number }) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const timer = this.#clock.after(readMs, () => late.abort());
    try {
      return await ask({ signal: late.signal, timeout: 2 * readMs });
    } catch (error) {
      throw late.signal.aborted ? new Error('It did not answer in time.', { cause: error }) : error;
    } finally {
      timer.cancel();
    }
  }

  async #listResources(): Promise<ListedResource[]> {
    if (!this.#client.getServerCapabilities()?.resources) return [];
    const byUri = new Map<string, ListedResource>();
    await this.#pages(async (params, options) => {
      const { resources, nextCursor } = await this.#client.request(
        { method: 'resources/list', params },
        options,
      );
      for (const { uri, name, title = name, description = '' } of resources) {
        if (uri === '' || uri.length > maxUri || byUri.has(uri)) continue;
        byUri.set(uri, { uri, name: label(title) || label(uri), description: about(description) });
        if (byUri.size === maxListed) return undefined;
      }
      return nextCursor;
    });
    return [...byUri.values()];
  }

  async #listPrompts(): Promise<ListedPrompt[]> {
    if (!this.#client.getServerCapabilities()?.prompts) return [];
    const byName = new Map<string, ListedPrompt>();
    await this.#pages(async (params, options) => {
      const { prompts, nextCursor } = await this.#client.request({ method: 'prompts/list', params }, options);
      for (const { name, title = name, description = '', arguments: args = [] } of prompts) {
        // It is written behind a slash, as one word.
        if (!/^\S+$/u.test(name) || name.length > maxName || visibleName(name) !== name) continue;
        if (byName.has(name) || args.length > maxArguments) continue;
        const fields = args.map(fieldOf);
        byName.set(name, { name, title: label(title), description: about(description), fields });
        if (byName.size === maxListed) return undefined;
      }
      return nextCursor;
    });
    return [...byName.values()];
  }

  /** A list without an end is as long as it gets. */
  async #pages(
    read: (params: { cursor?: string }, options: { timeout: number }) => Promise<string | undefined>,
  ): Promise<void> {
    const began = this.#clock.monotonic();
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const left = maxListMs - (this.#clock.monotonic() - began);
      if (left <= 0) return;
      try {
        cursor = await read(cursor === undefined ? {} : { cursor }, { timeout: left });
      } catch (error) {
        // What came before it is listed.
        if (page === 0) throw error;
        return;
      }
      if (cursor === undefined || cursor === '') return;
    }
  }
}

interface ListedArgument {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  required?: boolean | undefined;
}

const fieldOf = ({ name, title = name, description = '', required = false }: ListedArgument): FormField => ({
  kind: 'text',
  name,
  title: label(title),
  description: about(description),
  isRequired: required,
  format: null,
  minLength: 0,
  maxLength: maxFormText,
  initial: '',
});

const label = (given: string): string => visibleName(given.slice(0, maxName)).trim();
const about = (given: string): string => visibleName(given.slice(0, maxDescription)).trim();
