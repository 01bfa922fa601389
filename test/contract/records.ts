/**
 * Finds and decodes what a real engine was seen to render. The records live outside the clone
 * (`ENGINE_TRUTH`, else `shared/engine-truth` beside it) and may be absent; nothing of them is kept here.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { FamilyName, Message, RenderRequest, Tool } from '../../src/sim/render/index.ts';

export type RecordedRender = string | { status: number; error: string };

export interface RenderRecords {
  /** Requests by name, without a model. */
  requests: ReadonlyMap<string, Omit<RenderRequest, 'model'>>;
  /** Two requests of one conversation: kind, earlier, later. */
  pairs: readonly (readonly [kind: string, earlier: string, later: string])[];
  /** The recorded prompt, or refusal, of every request. */
  family(name: FamilyName): ReadonlyMap<string, RecordedRender>;
}

const conversations = z.object({
  pool: z.array(z.custom<Message>((value) => z.looseObject({ role: z.string() }).safeParse(value).success)),
  toolsets: z.record(
    z.string(),
    z.array(
      z.custom<Tool>((value) => z.looseObject({ function: z.looseObject({}) }).safeParse(value).success),
    ),
  ),
  requests: z.record(
    z.string(),
    z.object({
      messages: z.array(z.number()),
      tools: z.string().optional(),
      think: z.union([z.boolean(), z.string()]).optional(),
    }),
  ),
  pairs: z.array(z.tuple([z.string(), z.string(), z.string()])),
});

const refusal = z.strictObject({ status: z.number(), error: z.string() });

/** A text is stored whole, or as the head and tail of another one with new text between. */
const storedRender = z.union([
  z.string(),
  refusal,
  z.strictObject({ like: z.string(), head: z.number(), tail: z.number(), text: z.string() }),
]);

const familyFile = z.object({ requests: z.record(z.string(), storedRender) });

/** The folder of the records, or undefined where it is absent. */
export function engineTruth(): string | undefined {
  const folder =
    process.env['ENGINE_TRUTH'] ?? fileURLToPath(new URL('../../../shared/engine-truth', import.meta.url));
  return existsSync(join(folder, 'renders', 'conversations.json')) ? folder : undefined;
}

export function readRenders(folder: string): RenderRecords {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(folder, 'renders', `${name}.json`), 'utf8'));
  const { pool, toolsets, requests, pairs } = conversations.parse(read('conversations'));
  return {
    requests: new Map(
      Object.entries(requests).map(([name, { messages, tools, think }]) => [
        name,
        {
          messages: messages.map((index) => present(pool[index], `message ${index}`)),
          tools: tools === undefined ? undefined : present(toolsets[tools], `tools ${tools}`),
          think,
        },
      ]),
    ),
    pairs,
    family: (name) => decode(familyFile.parse(read(name)).requests),
  };
}

function decode(stored: Record<string, z.infer<typeof storedRender>>): Map<string, RecordedRender> {
  const decoded = new Map<string, RecordedRender>();
  const decodeOne = (name: string): RecordedRender => {
    const known = decoded.get(name);
    if (known !== undefined) {
      return known;
    }
    const entry = present(stored[name], `render ${name}`);
    const value =
      typeof entry === 'string' || !('like' in entry) ? entry : patch(decodeOne(entry.like), entry);
    decoded.set(name, value);
    return value;
  };
  for (const name of Object.keys(stored)) {
    decodeOne(name);
  }
  return decoded;
}

function patch(base: RecordedRender, change: { head: number; tail: number; text: string }): string {
  if (typeof base !== 'string') {
    throw new Error('a stored render builds on a refusal');
  }
  return base.slice(0, change.head) + change.text + base.slice(base.length - change.tail);
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`the records lack ${what}`);
  }
  return value;
}
