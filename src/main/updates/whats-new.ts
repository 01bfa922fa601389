/** What the build wrote about its version from the changelog. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { WhatsNew } from '../../protocol/updates.ts';

const schema = z.object({
  version: z.string(),
  lines: z.array(z.string().min(1).max(300)).min(1).max(3),
});

/** @param file `whats-new.json` beside the built files; null = none, or one that does not belong to this version */
export function readWhatsNew(file: string, version: string): WhatsNew | null {
  try {
    const content = schema.parse(parseJson(readFileSync(file, 'utf8')));
    return content.version === version ? content : null;
  } catch {
    return null;
  }
}
