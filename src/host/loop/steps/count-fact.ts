/** How many lines a search found, or names a listing: a small model cannot count them. */
import type { ToolDisplay } from '../../../protocol/model.ts';

/** Fewer are seen at a glance, and the count would be one more thing to answer with. */
const minCounted = 4;

/** Null = there is nothing to count. */
export function countFact(display: ToolDisplay | null): string | null {
  if (display?.kind === 'matches' && display.total >= minCounted) {
    const { total, files } = display;
    return `Lines found: ${String(total)}, in ${files === 1 ? '1 file' : `${String(files)} files`}.`;
  }
  if (display?.kind === 'list' && display.total >= minCounted)
    return `Names found: ${String(display.total)}.`;
  return null;
}
