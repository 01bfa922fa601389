/** The lines of a plan: which of them are steps, to which milestone they belong, what stands below each (D9, Q10). */
import { plainLine, shorten, withoutBullet } from './reply-text.ts';

/** A step before anything in it was understood. */
export interface WrittenStep {
  /** The number that the model gave it. */
  number: number;
  text: string;
  milestone: string | null;
  /** Lines below it: sub-bullets, nested numbers, checks. Never steps (Q10). */
  details: string[];
}

/** What is longer or more than this no plan needs; it bounds what one reply can cost. */
const maxPlanLength = 200_000;
const maxLineLength = 2000;
const maxDetails = 20;
const maxMilestoneLength = 120;

const numberedLine =
  /^(?<indent>\s*)(?<heading>#{1,6}\s+)?(?:\*\*|__)?(?:(?<decimal>\d+(?:\.\d+)+)[.)]?|step\s+(?<named>\d+)\s*(?:\*\*)?[:.)–—-]|(?<number>\d+)(?:\*\*)?[.)])(?:\*\*)?\s*(?<text>.+)$/i;
const stepsHeader = /^(?:the\s+)?(?:plan\s+|execution\s+)?steps\s*(?::\s*(?<rest>.*))?$/i;
const milestoneWords = /^(?:M\d+(?=\s*(?:[:.–—-]|$))|(?:milestone|phase)\s+\d+(?!\w))/i;
const headingLine = /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*\s*:?\s*$)/;
const detailWords = /^(?:(?:check|executor|tool|agent)\s*[:=]|self$)/i;
/** Headings of the form itself, which are no milestones. */
const formWords = /^(?:the\s+|execution\s+)?(?:plan|steps|milestones?)$/i;
/** What follows the steps: a numbered list below it is none of theirs. */
const closingWords =
  /^(?:notes?|risks?|assumptions|open questions|success criteria|dependencies|rationale)$/i;

/** All numbered lines, in order; empty = there is no plan in the reply (D3). */
export function readPlanLines(text: string): WrittenStep[] {
  const lines = text
    .slice(0, maxPlanLength)
    .split(/\r\n?|\n/)
    .map((line) => line.slice(0, maxLineLength).trimEnd())
    .filter((line) => !/^\s*(?:```|~~~)/.test(line));
  const start = lines.findIndex((line) => stepsHeader.test(plainLine(line)));
  const inBlock = start === -1 ? [] : readSteps(fromHeader(lines.slice(start)));
  return inBlock.length > 0 ? inBlock : readSteps(lines);
}

/** A first step may stand on the line of the header. */
function fromHeader([header = '', ...below]: string[]): string[] {
  const rest = stepsHeader.exec(plainLine(header))?.groups?.['rest'] ?? '';
  return rest === '' ? below : [rest, ...below];
}

function readSteps(lines: readonly string[]): WrittenStep[] {
  // `## 1. Setup` is a milestone where plain numbers stand below it, else it is the step itself.
  const plainNumbers = lines.some((line) => numberedLine.test(line) && !/^\s*#/.test(line));
  const reader = new StepReader(plainNumbers);
  for (const line of lines) reader.read(line);
  return reader.steps;
}

class StepReader {
  readonly steps: WrittenStep[] = [];
  readonly #headingsAreMilestones: boolean;
  #milestone: string | null = null;
  /** Of the steps of this milestone; what stands deeper is a detail. */
  #indent: number | null = null;
  /** The next line may still belong to the text of the step. */
  #open = false;
  #ended = false;

  constructor(headingsAreMilestones: boolean) {
    this.#headingsAreMilestones = headingsAreMilestones;
  }

  read(line: string): void {
    const words = plainLine(line);
    const numbered = numberedLine.exec(line)?.groups;
    if (words === '') this.#open = false;
    else if (numbered) this.#readNumbered(numbered, words);
    else if (detailWords.test(words)) this.#readBelow(line);
    else if (milestoneWords.test(words) || headingLine.test(line)) this.#begin(words);
    else if (closingWords.test(words.replace(/:$/, ''))) this.#ended = true;
    else this.#readBelow(line);
  }

  #readNumbered(groups: Record<string, string | undefined>, words: string): void {
    const { indent = '', heading, decimal, named, number, text = '' } = groups;
    if (milestoneWords.test(plainLine(text))) return this.#begin(plainLine(text));
    if (heading !== undefined && this.#headingsAreMilestones) return this.#begin(words);
    if (this.#ended) return;

    const depth = indent.replaceAll('\t', '    ').length;
    const current = this.#current();
    const deeper = this.#indent !== null && depth >= this.#indent + 2;
    const part = decimal !== undefined && current?.number === Number(decimal.split('.')[0]);
    if (current && (deeper || part)) return this.#addDetail(text);

    this.#indent = depth;
    this.#open = heading === undefined;
    const own = Number(named ?? number ?? Number.NaN);
    this.steps.push({ number: own, text: text.trim(), milestone: this.#milestone, details: [] });
  }

  #begin(title: string): void {
    const name = title.replace(/[\s:]+$/, '');
    this.#open = false;
    this.#ended = closingWords.test(name);
    if (this.#ended || formWords.test(name)) return;
    this.#milestone = shorten(name, maxMilestoneLength);
    this.#indent = null;
  }

  #readBelow(line: string): void {
    const current = this.#current();
    if (!current) return;
    if (detailWords.test(plainLine(line)) || /^\s*[-*+•]\s/.test(line)) {
      this.#open = false;
      this.#addDetail(withoutBullet(line));
    } else if (this.#open && current.text.length < maxLineLength) {
      current.text += ` ${line.trim()}`;
    }
  }

  #addDetail(text: string): void {
    const details = this.#current()?.details;
    if (details && details.length < maxDetails) details.push(text);
  }

  /** Of this milestone; a line below a heading belongs to no step before it. */
  #current(): WrittenStep | undefined {
    return this.#indent === null || this.#ended ? undefined : this.steps.at(-1);
  }
}
