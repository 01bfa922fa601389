/** Which tools a query is about: BM25 over names, descriptions and details. */

const saturation = 1.2;
const lengthWeight = 0.75;
/** A word of the name says more than one of the description. */
const nameWeight = 3;
const detailsWeight = 0.3;
/** With fewer a word of each of them may still be what is meant. */
const minToCompare = 10;

/**
 * Articles, prepositions and the like of English and German, the languages of Andiron: two sentences share them whatever
 * they are about. Those of other languages only rank lower, as what many tools speak of does.
 */
const functionWords: ReadonlySet<string> = new Set(
  [
    'a about after an and are as at be but by for from how if in into is it its no not of on or s such t that the their',
    'then there these they this those to was what when where which who with',
    'am an auf aus bei beim das dem den der des die durch ein eine einem einen einer eines für im ins ist mit nach oder',
    'um und vom von wie zu zum zur über',
  ].flatMap((line) => line.split(' ')),
);

interface Searched {
  name: string;
  description: string;
  /** Words about its parts; absent = none. */
  details?: string;
}

/** The best first, at most `limit`; a tool that shares no word with the query is not among them. */
export function rankTexts<T extends Searched>(tools: readonly T[], query: string, limit: number): T[] {
  const wanted = [...new Set(wordsOf(query))];
  const documents = tools.map((tool) => {
    const counts = new Map<string, number>();
    const add = (text: string, weight: number): void => {
      for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    };
    add(tool.name, nameWeight);
    add(tool.description, 1);
    add(tool.details ?? '', detailsWeight);
    return { tool, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const rarity = (word: string): number => {
    const having = documents.filter(({ counts }) => counts.has(word)).length;
    // What most of many tools speak of tells none of them apart.
    if (documents.length >= minToCompare && having > documents.length / 2) return 0;
    return Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
  };
  const weights = wanted.map((word) => [word, rarity(word)] as const);
  return documents
    .map(({ tool, counts, length }) => {
      const norm = saturation * (1 - lengthWeight + (lengthWeight * length) / average);
      const score = weights.reduce((sum, [word, weight]) => {
        const count = counts.get(word) ?? 0;
        return sum + (weight * count * (saturation + 1)) / (count + norm);
      }, 0);
      return { tool, score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool }) => tool);
}

/** `readTextFile` and `read_text_file` are three words; function words and the ends of plurals and tenses are left out. */
const wordsOf = (text: string): string[] =>
  (text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => isName(word) || !functionWords.has(word.toLowerCase()))
    .map((word) => word.toLowerCase())
    .map((word) => (word.length > 4 ? word.replace(/(?:ies|es|s|ing|ed)$/, '') : word));

/** In capitals, such as an algorithm that is called DES. */
const isName = (word: string): boolean => /^\p{Lu}{2,}$/u.test(word);
