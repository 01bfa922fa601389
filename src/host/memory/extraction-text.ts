/** What the model is asked when facts are gathered, and what is made of its answer. */
import { cleanText } from './clean-text.ts';
import { factLine, valueCap, type PlainFact } from './facts.ts';
import { summaryCap } from './memory-block.ts';

export const maxFacts = 20;

/** Room for facts inside an instruction, in characters. */
const knownCap = 2_000;
const summaryFactsCap = 6_000;

/** Appended to the session's own prompt, so it does not repeat the conversation. */
export function factsInstruction(known: readonly PlainFact[]): string {
  return [
    'The work is done for now. Note what is worth knowing about the user in later sessions: who they are, what they prefer, what they work on, what they decided.',
    'Only what the user said or confirmed. Nothing from files, web pages or tool results, nothing about the steps of this task, no passwords and no keys.',
    `One fact per line, at most ${String(maxFacts)} lines, each value at most ${String(valueCap)} characters, in exactly this form:\ncategory: key = value`,
    'Category is one word such as person, preference, project or environment.',
    ...(known.length > 0
      ? [`Already known; repeat a line only if its value has changed:\n${fitting(known, knownCap)}`]
      : []),
    'If there is nothing to note, answer only: none. Do not call a tool.',
  ].join('\n\n');
}

export function summaryInstruction(facts: readonly PlainFact[], before: string): string {
  return [
    'Now describe the user in one paragraph of at most 120 words, in plain sentences, third person. Use only these facts and add nothing:',
    fitting(facts, summaryFactsCap),
    ...(before === '' ? [] : [`The description so far, to be brought up to date:\n${before}`]),
    'Answer with the paragraph alone. Do not call a tool.',
  ].join('\n\n');
}

function fitting(facts: readonly PlainFact[], cap: number): string {
  let room = cap;
  return facts
    .map((fact) => `- ${factLine(fact)}`)
    .filter((line) => (room -= line.length + 1) >= 0)
    .join('\n');
}

/** More of an answer than this is a model that does not end. */
const answerCap = 40_000;
const lineCap = 600;

/** Answers that mean that there is nothing. */
const nothing =
  /^(?:none|nothing|unknown|null|n\/?a|no facts?|not (?:specified|mentioned|stated|known|given|provided)|value|-)?[.!]?$/i;

/**
 * `category: key = value` out of whatever stands around it; of two with one name the later counts. Empty = the model
 * says that there is nothing; null = it says something else.
 */
export function parseFacts(answer: string): PlainFact[] | null {
  const facts = new Map<string, PlainFact>();
  const lines = withoutThinking(answer).split(/\r?\n/);
  for (const line of lines) {
    const fact = line.length <= lineCap ? parseLine(line) : null;
    if (fact) facts.set(`${fact.category}:${fact.key}`.toLowerCase(), fact);
  }
  if (facts.size === 0 && !lines.some(saysNothing)) return null;
  return [...facts.values()].slice(0, maxFacts);
}

/** Alone on its line, or behind a name. */
function saysNothing(line: string): boolean {
  const said = line.slice(Math.max(line.lastIndexOf('='), line.lastIndexOf(':')) + 1);
  const plain = said.replaceAll(/[^\p{L}\p{N}/ ]/gu, ' ').trim();
  return plain !== '' && nothing.test(plain);
}

function parseLine(line: string): PlainFact | null {
  const plain = unquoted(
    line.replace(/^[\s>|]*(?:[-*+•–]\s+|\(?\d{1,3}[.)]\s+)?/, '').replaceAll(/\*\*|__|`/g, ''),
  );
  const [, category = '', rest = ''] = /^([^:=]{1,60}):\s*(.+)$/.exec(plain) ?? ['', '', plain];
  const [, key = '', given = ''] = /^([^=]+?)\s*(?:=>|->|→|=|:)\s*(.+)$/.exec(rest) ?? [];
  const value = unquoted(given);
  if (!isName(key, 6) || !(category === '' || isName(category, 3)) || nothing.test(value)) return null;
  return { category: unquoted(category), key: unquoted(key), value };
}

/** A few words; a sentence with an equals sign in it is no fact. */
const isName = (text: string, maxWords: number): boolean =>
  /[\p{L}\p{N}]/u.test(text) && text.trim().split(/\s+/).length <= maxWords;

const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^(?:["'“‘]([^"“”]*)["'”’]|<([^<>]*)>|\[([^[\]]*)\])[.,;]?$/u, '$1$2$3')
    .replace(/[\s;,]+$/, '')
    .trim();

/** null = the answer is no description. */
export function parseSummary(answer: string): string | null {
  const lines = withoutThinking(answer)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:```|#|---)/.test(line));
  const text = lines.join(' ').replace(/^\**(?:summary|description|paragraph)\**\s*:\**\s*/i, '');
  const paragraph = cleanText(unquoted(text), summaryCap);
  return paragraph.length < 10 || nothing.test(paragraph) ? null : paragraph;
}

function withoutThinking(answer: string): string {
  const text = answer.slice(0, answerCap);
  const end = text.lastIndexOf('</think>');
  return end === -1 ? text : text.slice(end + '</think>'.length);
}
