import { nothingParsed, ParseFailure, settledBefore } from './parser.ts';
import type { Parsed, ParsedCall, ParserContext, ReplyParser } from './parser.ts';
import { coerceParameter } from './coerce.ts';

const THINK_END = '</think>';
const CALL = '<tool_call>';
const CALL_END = '</tool_call>';

type State = 'thinking' | 'after-thinking' | 'content' | 'call';

/**
 * Replies of the qwen3.5 and 3.8 parsers: `<think>` blocks and XML-like calls. Whitespace before a tag is
 * held back and dropped, a call comes out when its closing tag is seen, an unclosed one vanishes.
 */
export class QwenParser implements ReplyParser {
  readonly #context: ParserContext;
  #state: State;
  #buffer = '';

  constructor(context: ParserContext) {
    this.#context = context;
    this.#state = context.thinking === 'open' ? 'thinking' : 'content';
  }

  add(text: string): Parsed {
    this.#buffer += text;
    const parsed = nothingParsed();
    while (this.#step(parsed));
    return parsed;
  }

  /** Takes one settled stretch off the buffer; false when more text is needed. */
  #step(parsed: Parsed): boolean {
    switch (this.#state) {
      case 'thinking': {
        const { before, found } = this.#upTo(THINK_END);
        parsed.thinking += before;
        if (found) this.#state = 'after-thinking';
        return found;
      }
      case 'after-thinking':
        this.#buffer = this.#buffer.trimStart();
        if (this.#buffer === '') return false;
        this.#state = 'content';
        return true;
      case 'content': {
        const { before, found } = this.#upTo(CALL);
        parsed.content += before;
        if (found) this.#state = 'call';
        return found;
      }
      case 'call': {
        const end = this.#buffer.indexOf(CALL_END);
        if (end < 0) return false;
        parsed.calls.push(this.#parseCall(this.#buffer.slice(0, end)));
        this.#buffer = this.#buffer.slice(end + CALL_END.length);
        this.#state = 'content';
        return true;
      }
    }
  }

  #upTo(tag: string): { before: string; found: boolean } {
    const at = this.#buffer.indexOf(tag);
    if (at >= 0) {
      const before = this.#buffer.slice(0, at).trimEnd();
      this.#buffer = this.#buffer.slice(at + tag.length);
      return { before, found: true };
    }
    const before = settledBefore(this.#buffer, tag);
    this.#buffer = this.#buffer.slice(before.length);
    return { before, found: false };
  }

  #parseCall(text: string): ParsedCall {
    const match = /<function=([^>]*)>([\s\S]*)<\/function>/.exec(text);
    // Ollama reads the call with an XML decoder, whose complaint about anything else is just this.
    if (match === null) throw new ParseFailure('EOF');
    const [, name = '', body = ''] = match;
    const tool = this.#context.tools.find((offered) => offered.function.name === name);
    const parameters = [...body.matchAll(/<parameter=([^>]*)>([\s\S]*?)<\/parameter>/g)];
    return {
      name,
      arguments: Object.fromEntries(
        parameters.map(([, key = '', value = '']) => [
          key,
          coerceParameter(
            value.replace(/^\n/, '').replace(/\n$/, ''),
            tool?.function.parameters?.properties?.[key],
          ),
        ]),
      ),
    };
  }
}
