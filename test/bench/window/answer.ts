/** What the simulated model writes for the window bench: Markdown as models write it, every token with its number. */
import { reply, type Reply, type Script } from '../../../src/sim/index.ts';

/** One stretch of an answer at one rate. */
export interface Stretch {
  tokens: number;
  perSecond: number;
}

/** The message that asks for an answer of these stretches; `bytes` of text in each token. */
export function askFor(stretches: readonly Stretch[], bytes: number): string {
  return `bench ${JSON.stringify({ stretches, bytes })}`;
}

export const benchScript: Script = ({ endpoint, lastUser }) => {
  if (endpoint !== 'chat') return undefined;
  const asked = /bench (\{.*\})/.exec(lastUser)?.[1];
  if (asked === undefined) return reply().text('Nothing was asked for.');
  return answer(JSON.parse(asked) as { stretches: Stretch[]; bytes: number });
};

function answer({ stretches, bytes }: { stretches: Stretch[]; bytes: number }): Reply {
  let number = 0;
  const tokens = stretches.flatMap((stretch) =>
    Array.from({ length: stretch.tokens }, () => {
      const text = tokenText(number, bytes);
      number += 1;
      return { text, pauseMs: number === 1 ? 0 : 1000 / stretch.perSecond };
    }),
  );
  return reply().raw(...tokens);
}

/** How many tokens a block of each kind has; the kinds follow each other. */
const blockTokens = 60;
const kinds = [
  'paragraph',
  'formula',
  'list',
  'diagram',
  'paragraph',
  'code',
  'mathematics',
  'heading',
] as const;
/** A formula, and a diagram, ends after so many tokens of its block, and the next one begins. */
const [formulaTokens, diagramTokens] = [10, 20];

/**
 * Token number n of every answer: `w17 ` in prose, lists, code, formulas and diagrams, so that the last one painted can be
 * read off.
 */
export function tokenText(number: number, bytes: number): string {
  const kind = kinds[Math.floor(number / blockTokens) % kinds.length] ?? 'paragraph';
  const place = number % blockTokens;
  const word = `${'lantern '.repeat(4).slice(0, Math.max(0, bytes - 6))}w${String(number)} `;
  const ends = place === blockTokens - 1;
  switch (kind) {
    case 'paragraph':
      return ends ? `${word}\n\n` : word;
    case 'list':
      return `${place % 10 === 0 ? '- ' : ''}${word}${place % 10 === 9 ? '\n' : ''}${ends ? '\n' : ''}`;
    case 'mathematics':
      // A formula in the line, now and then.
      return `${place % 6 === 3 ? `$x_2 + ${word.trim()}$ ` : word}${ends ? '\n\n' : ''}`;
    case 'formula':
      return formulaToken(place % formulaTokens, word);
    case 'diagram':
      return diagramToken(place % diagramTokens, number, word);
    case 'code':
      if (place === 0) return `\`\`\`ts\nconst ${word}`;
      return `${word}${place % 6 === 5 ? '\n' : ''}${ends ? '```\n\n' : ''}`;
    case 'heading':
      return `${place === 0 ? '## ' : ''}${word}${place === 6 || ends ? '\n\n' : ''}`;
  }
}

/** `$$ \\frac{w60}{x^2} + \\sqrt{w61} + … = w69 $$` */
function formulaToken(place: number, word: string): string {
  if (place === 0) return `$$\n\\frac{${word}}{x^2} `;
  return place === formulaTokens - 1 ? `= ${word}\n$$\n\n` : `+ \\sqrt{${word}} `;
}

/** A chain of labelled nodes, one for each token. */
function diagramToken(place: number, number: number, word: string): string {
  const node = `n${String(number)}[${word.trim()}]`;
  if (place === 0) return `\`\`\`mermaid\nflowchart TD\n${node}\n`;
  const edge = `n${String(number - 1)} --> ${node}\n`;
  return place === diagramTokens - 1 ? `${edge}\`\`\`\n\n` : edge;
}
