/**
 * How many lines a search found, which a small model cannot count. Of names, which are mostly asked for themselves, it would
 * tell the count alone.
 */
import type { ToolDisplay } from '../../../protocol/model.ts';

/** Fewer are seen at a glance, and the count would be one more thing to answer with. */
const minCounted = 4;

/** Null = there is nothing to count. */
export function countFact(display: ToolDisplay | null): string | null {
  if (display?.kind !== 'matches' || display.total < minCounted) return null;
  const { total, files } = display;
  return `Lines found: ${String(total)}, in ${files === 1 ? '1 file' : `${String(files)} files`}.`;
}
