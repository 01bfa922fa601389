/**
 * Every kind of model server that `hosts.json` may name. Another kind is a name in the protocol's list
 * (`model-host-methods.ts`) and an entry here, which the compiler asks for; nothing else looks at the kind of a host.
 */
import type { HostKind, HostKindEntry } from './host-kind.ts';
import { ollamaHost } from './ollama-host.ts';
import { openAiHost } from './openai-host.ts';

export const hostKinds: Record<HostKind, HostKindEntry> = { ollama: ollamaHost, openai: openAiHost };

export const isHostKind = (kind: string): kind is HostKind => Object.hasOwn(hostKinds, kind);
