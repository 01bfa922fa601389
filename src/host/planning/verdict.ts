/** What phase 1 decided (D7, Q9). */
import { plainLine, withoutThinking } from './reply-text.ts';

export type Verdict =
  { kind: 'direct' } | { kind: 'analysis'; text: string; reflect: boolean } | { kind: 'malformed' };

/** `planningMandatory`: there is no way past the plan, so DIRECT is an analysis that found nothing (W18). */
export function readVerdict(reply: string, mandatory: boolean): Verdict {
  const said = withoutThinking(reply);
  const first = said.split(/\r\n?|\n/).find((line) => /\p{L}/u.test(line) && !line.trim().startsWith('```'));
  const none: Verdict = mandatory ? { kind: 'analysis', text: '', reflect: false } : { kind: 'malformed' };
  if (first === undefined) return none;
  if (saysDirect(first)) return mandatory ? none : { kind: 'direct' };
  return { kind: 'analysis', text: withoutReflection(said), reflect: saysReflect(said) };
}

/** The word in capitals, anywhere on the line; in other letters only where the line is nothing else. */
function saysDirect(line: string): boolean {
  const words = plainLine(line);
  if (/^\P{L}*direct\P{L}*$/iu.test(words)) return true;
  return /(?<![\w-])DIRECT(?![\w-])/.test(words) && !/\b(?:not|never|no)\s+DIRECT\b/i.test(words);
}

/** Not `yes/no`: that is the form itself, copied. */
const reflection =
  /\bREFLECT\b[*_`"'\s]{0,8}[:=–—-][*_`"'\s[(]{0,8}(yes|no|true|false)\b(?!\s?(?:\/|\||or\b))/gi;

/** The last word counts: models that think aloud change their mind. None = no. */
function saysReflect(text: string): boolean {
  const answer = [...text.matchAll(reflection)].at(-1)?.[1]?.toLowerCase();
  return answer === 'yes' || answer === 'true';
}

function withoutReflection(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .filter((line) => !/^[\s>#*•_`"'-]{0,12}REFLECT\b[*_`"'\s]{0,8}[:=–—-]/i.test(line))
    .join('\n')
    .trim();
}
