import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesNamed, mentioned, sharedPieces } from './named-in-text.ts';

const files = ['memo.txt', 'data.txt', 'src/main.ts', 'a.txt', 'a/b.csv'];
const inText = (text: string, entries: readonly string[] = files): string[] => mentioned([text], entries);

test.each([
  ['English', 'Read memo.txt and tell me what it says.'],
  ['Turkish with a suffix', "Bana 'memo.txt'yi oku."],
  ['Turkish with an apostrophe', "memo.txt'den ilk satırı oku."],
  ['Japanese without blanks', 'これはmemo.txtを読んでください。'],
  ['Chinese without blanks', '请读取memo.txt的内容'],
  ['Korean with a particle', 'memo.txt를 읽어 주세요'],
  ['German in a compound', 'Öffne die memo.txt-Datei.'],
  ['Russian with an ending', 'Прочитай содержимое memo.txt-а.'],
  ['Arabic', 'اقرأ الملف memo.txt، من فضلك'],
  ['Hebrew with a prefix', 'מה כתוב בmemo.txt?'],
  ['Finnish with an ending', 'Lue memo.txt:n sisältö'],
])('A file is named in %s', (_, text) => {
  expect(inText(text)).toEqual(['memo.txt']);
});

test.each([
  "'memo.txt'",
  '"memo.txt"',
  '`memo.txt`',
  '**memo.txt**',
  '„memo.txt“',
  '«memo.txt»',
  '「memo.txt」',
  '(memo.txt)',
  '[memo.txt](x)',
  '<memo.txt>',
  '@memo.txt',
  '--file=memo.txt',
  '🚲memo.txt🚲',
])('A file is named between marks: %s', (text) => {
  expect(inText(text)).toEqual(['memo.txt']);
});

test('A file is named at the end of a sentence', () => {
  const ends = ['.', '...', '?', '!', ',', ':', ';', '…', '。', '.\n', './', '/'];
  expect(ends.filter((end) => inText(`Read memo.txt${end}`).length === 0)).toEqual([]);
  expect(inText('Read memo.txt. Then stop.')).toEqual(['memo.txt']);
});

test('A file is not named within a longer name', () => {
  expect(inText('Read data.txt', ['a.txt'])).toEqual([]);
  const longer = ['a.txt.bak', 'a.txt/b', 'a.txt2', 'a.txts', 'my-a.txt', 'my_a.txt', '.a.txt', 'éa.txt'];
  expect(longer.filter((text) => inText(text, ['a.txt']).length > 0)).toEqual([]);
});

test('A file is named where it also stands within a longer name before', () => {
  expect(inText('Copy data.txt.bak over data.txt', ['data.txt', 'a.txt'])).toEqual(['data.txt']);
});

test('A file in another folder is not named by its name alone when two have it', () => {
  const two = ['src/main.ts', 'test/main.ts'];
  expect(inText('Open main.ts', two)).toEqual([]);
  expect(inText('Open test/main.ts', two)).toEqual(['test/main.ts']);
  expect(inText('Open main.ts', ['src/main.ts', 'test/other.ts'])).toEqual(['src/main.ts']);
});

test('A file is not named by its name in a folder that it is not in', () => {
  expect(inText('Open lib/main.ts')).toEqual([]);
  expect(inText('Open /etc/memo.txt')).toEqual([]);
  expect(inText('Open ../memo.txt')).toEqual([]);
});

test('A file is named from the folder of the workspace on', () => {
  expect(inText('Read ./memo.txt')).toEqual(['memo.txt']);
  expect(inText('Open ./src/main.ts')).toEqual(['src/main.ts']);
  expect(inText('Open src/./memo.txt')).toEqual([]);
});

test('A folder is named with its slash or without', () => {
  const entries = ['notes/', 'notes/a.md'];
  const texts = ['List notes/', 'List notes', 'List notes.', '`notes/`', './notes', 'notes/, then stop'];
  expect(texts.map((text) => inText(text, entries))).toEqual(texts.map(() => ['notes/']));
  expect(inText('Read src/main.ts', ['src/', 'src/main.ts', 'ain/'])).toEqual(['src/main.ts']);
});

test.each(['a/b.csv', 'a/.env', 'a/файл.csv', 'a/日本.csv', 'a/🚲.csv', 'a/-x', 'a/(1).csv', 'a/$id.ts'])(
  'The path %s names no folder',
  (path) => {
    expect(inText(`Read ${path} now`, ['a/', path])).toEqual([path]);
  },
);

test('A file is named in its own script', () => {
  expect(inText('Прочитай файл.txt', ['файл.txt'])).toEqual(['файл.txt']);
  expect(inText('報告.txtを読んで', ['報告.txt'])).toEqual(['報告.txt']);
  expect(inText('Read my notes.txt now', ['my notes.txt'])).toEqual(['my notes.txt']);
});

test('A file is named in whichever way its accents are written', () => {
  for (const [name, spoken] of [
    ['résumé.txt'.normalize('NFD'), 'résumé.txt'.normalize('NFC')],
    ['résumé.txt'.normalize('NFC'), 'résumé.txt'.normalize('NFD')],
  ] as const)
    expect(inText(`Read ${spoken}`, [name])).toEqual([name]);
});

test('A file is named by any of the texts, and told once in the order of the entries', () => {
  expect(mentioned(['data.txt', 'memo.txt and data.txt'], files)).toEqual(['memo.txt', 'data.txt']);
  expect(mentioned([], files)).toEqual([]);
  expect(mentioned(['', 'Hello.'], files)).toEqual([]);
});

test('A file whose name is a pattern for a program is taken to the letter', () => {
  expect(inText('Read x+y(1).txt', ['x+y(1).txt'])).toEqual(['x+y(1).txt']);
  expect(inText('Read memoXtxt', ['memo.txt'])).toEqual([]);
  expect(inText('Read [a-z]*.txt', ['m.txt'])).toEqual([]);
});

test('Whatever the names and the texts are, the mentioned ones are entries, and a name alone is mentioned', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('', '/', './', '.', '../', 'a/', 'a//', '\ud800'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 6 }), fc.string({ maxLength: 40 }), (entries, text) => {
      expect(entries).toEqual(expect.arrayContaining(mentioned([text], entries)));
    }),
  );
  const path = fc.stringMatching(/^[a-z]{1,4}(?:\/[a-z]{1,4}){0,2}\.[a-z]{1,3}$/);
  fc.assert(
    fc.property(path, (entry) => {
      expect(inText(`Read "${entry}".`, [entry])).toEqual([entry]);
    }),
  );
});

test('The lines that are named share most words with the texts', () => {
  const lines = ['const port = 80;', 'const host = "a";', 'let color = "green";'];
  expect(linesNamed(['Set the color to blue'], lines)).toEqual(['let color = "green";']);
  expect(linesNamed(['Set the', 'PORT to 81'], lines)).toEqual(['const port = 80;']);
});

test('A line is named by the words that a name in it is made of', () => {
  const lines = ['export const yogurtLimit = 3;', 'export const pepperLimit = 4;', 'let row_count = 5;'];
  expect(linesNamed(['Set the yogurt limit to 5'], lines)).toEqual([lines[0]]);
  expect(linesNamed(['How about the row count?'], lines)).toEqual([lines[2]]);
});

test('An article names no line, and neither does a word that stands in all of them', () => {
  expect(linesNamed(['Put it at the top'], ['water the plants', 'buy bread'])).toEqual([]);
  expect(linesNamed(['Sort the prices'], ['prices: 4', 'prices: 5'])).toEqual([]);
  expect(linesNamed(['Make red blue'], ['red', 'green'])).toEqual(['red']);
  expect(linesNamed(['Make red blue'], ['colour = red', 'size = 4'])).toEqual(['colour = red']);
});

test('No line is named when none shares a word', () => {
  expect(linesNamed(['nothing of it'], ['a1', 'b2'])).toEqual([]);
  expect(linesNamed([], ['a1', 'b2'])).toEqual([]);
  expect(linesNamed(['x'], [])).toEqual([]);
});

test('A word that stands in one line tells more than two that stand in many', () => {
  const lines = ['color of the wall', 'color of the roof', 'color of the door', 'tone: indigo'];
  expect(linesNamed(['color of indigo'], lines)).toEqual(['tone: indigo']);
});

test('A word tells no more when its line repeats it', () => {
  expect(linesNamed(['red'], ['red red red', 'red', 'green'])).toEqual(['red red red', 'red']);
});

test('Lines with the same words are named together, in whichever order they have them', () => {
  const words = ['q', 'w', 'e', 'r', 't'];
  const others = words.flatMap((word, at) => Array.from({ length: at + 1 }, () => `${word} filler`));
  fc.assert(
    fc.property(fc.shuffledSubarray(words, { minLength: words.length }), (order) => {
      const pair = [words.join(' '), order.join(' ')];
      expect(linesNamed([words.join(' ')], [...pair, ...others])).toEqual(pair);
    }),
  );
});

test('The lines that are named are found by words of any script', () => {
  expect(linesNamed(['色を青にして'], ['名前: 赤', '色: 緑'])).toEqual(['色: 緑']);
  expect(linesNamed(['Измени цвет'], ['цвет: зелёный', 'имя: дом'])).toEqual(['цвет: зелёный']);
});

test('A piece that stands once in the other text is shared, and none within a longer word', () => {
  expect(sharedPieces('Replace red with blue', 'the red door')).toEqual(['red']);
  expect(sharedPieces('Replace red with blue', 'hundreds of reds')).toEqual([]);
  expect(sharedPieces('Replace red with blue', 'red and red')).toEqual([]);
});

test('A sign that both have before a word belongs to it', () => {
  expect(sharedPieces('Change #671910 to #386665', 'color: #671910;')).toEqual(['#671910']);
  expect(sharedPieces('Change 671910 to 386665', 'color: #671910;')).toEqual(['671910']);
  expect(sharedPieces('Change #671910 to #386665', 'color: 671910')).toEqual(['671910']);
  expect(sharedPieces('Change "red" to "blue"', 'color: "red"')).toEqual(['red']);
});

test('A code is one piece, and a row of words is the longest that both have', () => {
  expect(sharedPieces('Ändere KS-5030 in KS-5031', 'Nummer: KS-5030')).toEqual(['KS-5030']);
  expect(sharedPieces('write good night, Ada', 'I said good night to Bo')).toEqual(['good night']);
  expect(sharedPieces('bump 1.4.2 to 2.0.1', 'version = 1.4.2')).toEqual(['1.4.2']);
});
