/** A model server besides the engine's Ollama, and all that Andiron has to know of a kind of them. */
import type { Clock } from '../../platform/clock.ts';
import type { ModelHost } from '../../protocol/model-host-methods.ts';
import type { ImageSource } from './images.ts';
import type { Provider } from './provider.ts';
import type { TokenPrices } from './token-prices.ts';

/** Windows and host have one list of names. */
export type HostKind = ModelHost['kind'];

export interface HostConfig {
  id: string;
  name: string;
  kind: HostKind;
  /** As its kind wants it (`baseUrl`). */
  url: string;
  apiKeyEnv: string | undefined;
  /** Absent = it names none. */
  prices?: TokenPrices | undefined;
}

/**
 * Resolves with undefined where the host wants none, or nobody set it: then its refusal says what to do. Rejects with
 * AndironError where one is kept and the system does not give it.
 */
export type ReadHostKey = () => Promise<string | undefined>;

/** What a request to one host needs beside its entry. */
export interface HostAccess {
  clock: Clock;
  readKey: ReadHostKey;
}

/** A model as the host itself calls it. */
export interface ListedModel {
  model: string;
  /** The context that it is loaded with; null = the list of the host does not say. */
  contextTokens: number | null;
}

export interface HostKindEntry {
  /** May its entry name the variable that holds a key? */
  takesKey: boolean;
  /** The address that requests begin with, without a slash at its end. People write it in several ways. */
  baseUrl(address: string): string;
  createProvider(host: HostConfig, access: HostAccess, images?: ImageSource): Provider;
  /** Rejects with AndironError, or the signal's reason: there is no timeout but the signal. */
  listModels(host: HostConfig, access: HostAccess, signal: AbortSignal): Promise<ListedModel[]>;
  /** What the model was trained for, where the list does not say its context; null = nobody says. */
  trainedContext(
    host: HostConfig,
    access: HostAccess,
    model: string,
    signal: AbortSignal,
  ): Promise<number | null>;
}

export const withoutEndSlash = (address: string): string => address.replace(/\/+$/, '');
