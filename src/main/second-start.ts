/** A second start of Andiron on one data folder hands over what it was started for, and ends. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { StartRequest } from '../protocol/desktop.ts';

const secondStartSchema = z.object({
  /** An absolute path of a folder; null = none was named. */
  workspace: z.string().max(4096).refine(isAbsolute).nullable(),
  demo: z.boolean(),
  /** A command wants a host, and nobody a window. */
  background: z.boolean().optional(),
});
export type SecondStart = z.infer<typeof secondStartSchema>;

/** The one line in the terminal of the second start, which is told of no answer: it says what was asked for. */
export function handedOverLine({ workspace, demo }: SecondStart): string {
  if (demo)
    return 'Andiron is already running with this data folder. If that is not the demo, close it first.';
  if (workspace !== null) {
    return `Andiron is already running. It was asked to show a new session in ${workspace}.`;
  }
  return 'Andiron is already running. It was asked to show its window.';
}

export const isBackgroundStart = (data: unknown): boolean =>
  secondStartSchema.safeParse(data).data?.background ?? false;

/**
 * What the window does about a second start; null = it only comes to the front. Another program of the same person could
 * have sent `data`, so it is checked.
 */
export function startRequestOf(data: unknown, runsDemo: boolean): StartRequest | null {
  const sent = secondStartSchema.safeParse(data);
  if (!sent.success) return null;
  const { workspace, demo } = sent.data;
  if (demo !== runsDemo) return { kind: 'other-engine', demo };
  return workspace === null ? null : { kind: 'workspace', workspace };
}
