/** What a client asks of its model beside the person's message: recognised by the words that such instructions have. */

export type Instruction =
  | 'classify'
  | 'review'
  | 'plan'
  | 'propose'
  | 'execute'
  | 'approved'
  | 'direct'
  | 'summary'
  | 'facts'
  | 'person'
  | 'title';

const PHRASES: readonly (readonly [Instruction, RegExp])[] = [
  ['review', /^review the analysis\b/i],
  ['plan', /^write the plan now\b/i],
  ['propose', /^if what i asked for needs no change\b/i],
  ['approved', /^carry out the plan\.\s/i],
  ['execute', /^now carry out the plan\b/i],
  ['direct', /^go on without a plan\b/i],
  ['summary', /^write a summary of this conversation\b/i],
  ['facts', /worth knowing about the user\b/i],
  ['person', /^now describe the user\b/i],
  ['title', /^write a title for this conversation\b/i],
  ['classify', /^(?:\[[a-z]+ note\] )?do not start yet\b/im],
];

export function readInstruction(message: string): Instruction | undefined {
  return PHRASES.find(([, phrase]) => phrase.test(message.trim()))?.[0];
}

/** It may look, and nothing else, before it is asked for a plan. */
export const mayOnlyPlan = (message: string): boolean => /^\[[a-z]+ note\] only plan:/im.test(message);

/** A message of the person, whatever was added to it. */
export const isPersons = (message: string): boolean => {
  const instruction = readInstruction(message);
  return instruction === undefined || instruction === 'classify';
};
