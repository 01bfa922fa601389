/**
 * Worked examples of openings, which stand in front of every conversation of a model that opens its turns. They never
 * change, so they are read once. One for each act alone comes before the pairs: a small model copies the nearest shape.
 * Some are in other languages: what resembles none of them is answered at once.
 */
import type { ContextMessage } from '../../providers/provider.ts';
import { openingText, reportWords, type ScopeStep } from './turn-acts.ts';

type Example = readonly [message: string, ...steps: ScopeStep[]];

const examples: readonly Example[] = [
  ['Thanks! What is the capital of Norway?', answer('the capital of Norway')],
  ['Which city is named in travel/plan.md?', look('read travel/plan.md'), answer('the city')],
  ['Write the word lantern into a new file called word.txt.', change('write word.txt'), answer(reportWords)],
  ['Execute main.rb. Which number comes out?', run('ruby main.rb'), answer('the number')],
  ['What is 3 times 14?', answer('3 times 14')],
  ['photo.raw should be called hill.raw from now on.', run('mv photo.raw hill.raw'), answer(reportWords)],
  ['What would one type to rename old.log by hand?', answer('the command')],
  ['用什么命令可以给 old.log 改名？我自己来。', answer('the command')],
  [
    'I want a second copy of plan.md as plan.old, and then Monday in plan.md becomes Friday.',
    run('cp plan.md plan.old'),
    change('Monday to Friday in plan.md'),
    answer(reportWords),
  ],
  [
    'In the folder mail one letter has the word amber in it. Throw that one away.',
    look('search for amber'),
    run('rm that letter'),
    answer('say that it is gone'),
  ],
  ['letters/aunt.txt, who wrote it?', look('read letters/aunt.txt'), answer('who wrote it')],
  [
    'My sister is coming on Sunday and I promised her to cook, so what does recipes/soup.md say, how many onions do I have to buy?',
    look('read recipes/soup.md'),
    answer('how many onions'),
  ],
  [
    'How often does the word copper stand in the files of mine?',
    look('search for copper'),
    answer('how often'),
  ],
  [
    'river -> lake in north.txt',
    look('read north.txt'),
    change('river to lake in north.txt'),
    answer(reportWords),
  ],
  ['Overwrite sign.txt with the word open.', change('replace all of sign.txt'), answer(reportWords)],
  [
    'Coloque a palavra chá abaixo de tudo em drinks.txt, por favor.',
    look('read drinks.txt'),
    change('add chá to drinks.txt'),
    answer(reportWords),
  ],
  [
    'Do all the checks in check.py pass? Put the result into result.md.',
    run('python3 check.py'),
    change('write result.md'),
    answer('the result'),
  ],
  [
    'Somewhere here is a file with the word sapphire. Where?',
    look('search for sapphire'),
    answer('the file'),
  ],
  [
    'In colors.txt the word green has to become blue.',
    look('read colors.txt'),
    change('green to blue in colors.txt'),
    answer(reportWords),
  ],
  ['Why is the sky blue?', answer('why the sky is blue')],
  ['Które obrazki .png tu są, we wszystkich folderach?', look('find **/*.png'), answer('the pictures')],
  [
    'I would like a program sum.py that prints the sum of two numbers.',
    change('write sum.py'),
    answer(reportWords),
  ],
  [
    'The name of the boat in harbor.csv has to go into boat.txt.',
    look('read harbor.csv'),
    change('write boat.txt'),
    answer(reportWords),
  ],
  ['bills.csv : combien dois-je payer en tout ?', look('read bills.csv'), answer('the sum')],
  ['What does a compiler do?', answer('what a compiler does')],
  ['How many of the orders in orders.csv are open?', look('read orders.csv'), answer('how many are open')],
  ['Please make note.md with one line in it: Bread', change('write note.md'), answer(reportWords)],
];

/** For a profile that finds tools of servers: what is not said to be on the web is not looked for there by name. */
const found: Example = [
  'How high is Snowdon?',
  use('get the height of a mountain'),
  answer('how high it is'),
];
const onTheWeb: Example = [
  'Find out on the web how high Snowdon is.',
  use('search the web for Snowdon'),
  answer('how high it is'),
];

/** For a profile that reaches further than the folder. */
const uses: readonly Example[] = [
  ['Put lunch with Vera into my calendar, Friday at noon.', use('add a calendar event'), answer(reportWords)],
  ['Wer hat das Ticket 41 gemeldet?', use('get a ticket'), answer('who reported it')],
  onTheWeb,
  [
    'Who is on duty this week? Write the name into duty.txt.',
    use('who is on duty'),
    change('write duty.txt'),
    answer(reportWords),
  ],
  ['Why do cats purr?', answer('why cats purr')],
];

function use(what: string): ScopeStep {
  return { act: 'use', what };
}
function look(what: string): ScopeStep {
  return { act: 'look', what };
}
function change(what: string): ScopeStep {
  return { act: 'change', what };
}
function run(what: string): ScopeStep {
  return { act: 'run', what };
}
function answer(what: string): ScopeStep {
  return { act: 'answer', what };
}

/** As messages of the log: what a person asks, and how the model opens. */
const asMessages = ([message, ...steps]: Example): ContextMessage[] => [
  { role: 'user', content: message },
  { role: 'assistant', content: openingText(steps), thinking: '', calls: [] },
];

export const openingExamples: readonly ContextMessage[] = examples.flatMap(asMessages);
/** They stand behind the others, so what both kinds of profiles begin with is read once. */
export const usingExamples: readonly ContextMessage[] = [...openingExamples, ...uses.flatMap(asMessages)];
const firstFound = openingExamples.length + 2 * (uses.indexOf(onTheWeb) + 1);
export const findingExamples: readonly ContextMessage[] = usingExamples.toSpliced(
  firstFound,
  0,
  ...asMessages(found),
);

/** `mayUse`: the profile reaches further than the folder; `mayFind`: it finds tools of servers besides. */
export function examplesFor({ mayUse, mayFind }: Reach): readonly ContextMessage[] {
  if (mayFind) return findingExamples;
  return mayUse ? usingExamples : openingExamples;
}

interface Reach {
  mayUse: boolean;
  mayFind: boolean;
}

/** How many of these messages, which were sent, are worked examples. */
export function countExamples(sent: readonly ContextMessage[]): number {
  return Math.max(...[usingExamples, findingExamples].map((examples) => sharedLength(sent, examples)));
}

function sharedLength(sent: readonly ContextMessage[], examples: readonly ContextMessage[]): number {
  const first = sent.findIndex((message, at) => message !== examples[at]);
  return first === -1 ? Math.min(sent.length, examples.length) : first;
}
