import type { SimModel } from '../models.ts';
import { GemmaParser } from './gemma.ts';
import { GoTemplateParser } from './go-template.ts';
import { HarmonyParser } from './harmony.ts';
import { nothingParsed, type Parsed, type ParserContext, type ReplyParser } from './parser.ts';
import { QwenParser } from './qwen.ts';

export { ParseFailure } from './parser.ts';
export type { Parsed, ParsedCall, ParserContext, ReplyParser } from './parser.ts';

/** The parser that Ollama uses for a model's replies. */
export function parserFor(model: SimModel, context: ParserContext, thinks: boolean): ReplyParser {
  if (model.path === 'native') return new PlainParser();
  if (model.card.architecture === 'gptoss') return new HarmonyParser(context);
  if (model.path === 'template') return new GoTemplateParser(context, model.templateMarks, thinks);
  return model.card.parser === 'gemma4' ? new GemmaParser() : new QwenParser(context);
}

/** For text that is already split: raw generation, and the native path, whose runner parses by itself. */
export class PlainParser implements ReplyParser {
  add(text: string): Parsed {
    return { ...nothingParsed(), content: text };
  }
}
