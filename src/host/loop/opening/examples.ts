/**
 * Worked examples of openings, which stand in front of every conversation of a model that opens its turns. They never
 * change, so they are read once. One for each act alone comes before the pairs: a small model copies the nearest shape.
 */
import type { ContextMessage } from '../../providers/provider.ts';
import { openingText, type ScopeStep } from './turn-acts.ts';

const examples: readonly (readonly [message: string, ...steps: ScopeStep[]])[] = [
  ['Thanks! What is the capital of Norway?', answer('the capital of Norway')],
  ['Which city is named in travel/plan.md?', look('read travel/plan.md'), answer('the city')],
  ['Start report.sh with bash and tell me what it says.', run('bash report.sh'), answer('what it says')],
  [
    'Write the word lantern into a new file called word.txt.',
    change('write word.txt'),
    answer('say that it is done'),
  ],
  ['Get rid of draft.doc.', run('rm draft.doc'), answer('say that it is gone')],
  ['Why is the sky blue?', answer('why the sky is blue')],
  [
    'I want a second copy of plan.md as plan.old, and then Monday in plan.md becomes Friday.',
    run('cp plan.md plan.old'),
    change('Monday to Friday in plan.md'),
    answer('say that it is done'),
  ],
  [
    'In the folder mail one letter has the word amber in it. Throw that one away.',
    look('search for amber'),
    run('rm that letter'),
    answer('say that it is gone'),
  ],
  ['What would one type to rename old.log by hand?', answer('the command')],
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
  ['Execute main.rb. Which number comes out?', run('ruby main.rb'), answer('the number')],
  [
    'In colors.txt the word green has to become blue.',
    look('read colors.txt'),
    change('green to blue in colors.txt'),
    answer('say that it is done'),
  ],
  ['What does a compiler do?', answer('what a compiler does')],
  ['Which pictures are there, in any folder?', look('find **/*.png'), answer('the pictures')],
  ['How many of the orders in orders.csv are open?', look('read orders.csv'), answer('how many are open')],
  ['Please make note.md with one line in it: Bread', change('write note.md'), answer('say that it is done')],
];

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
export const openingExamples: readonly ContextMessage[] = examples.flatMap(
  ([message, ...steps]): ContextMessage[] => [
    { role: 'user', content: message },
    { role: 'assistant', content: openingText(steps), thinking: '', calls: [] },
  ],
);
