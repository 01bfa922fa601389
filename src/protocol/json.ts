/** JSON from outside this process: what could not be written again is refused before it is parsed. */
import { nestedTooDeep } from './frames.ts';
import { maxNesting } from './limits.ts';
import { nestsDeeper } from './nesting.ts';

export class NestedTooDeepError extends SyntaxError {
  override readonly name = 'NestedTooDeepError';
}

/** Throws SyntaxError when the text is not JSON or nests deeper than `maxNesting`. */
export function parseJson(text: string): unknown {
  if (nestsDeeper(text, maxNesting)) {
    throw new NestedTooDeepError(nestedTooDeep);
  }
  return JSON.parse(text);
}
