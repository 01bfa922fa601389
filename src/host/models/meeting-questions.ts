/**
 * What a model is asked when Andiron meets it: six kinds of question about its calls, each in three wordings, and a few
 * turns to open, so that one answer alone decides nothing. The folder that they speak of exists in words only, and no call
 * is run.
 */
import type { Ability } from '../../protocol/abilities.ts';
import type { CallMode } from '../loop/calls/ladder.ts';
import { SentNotes } from '../loop/calls/sent-notes.ts';
import { isPlanningTool } from '../loop/calls/toolsets.ts';
import type { Act } from '../loop/opening/turn-acts.ts';
import type { Seen } from '../loop/calls/turn-evidence.ts';
import { answerable, isRight, questionsThatTell, type Question } from './exam/exam-questions.ts';
import { note } from '../prompt/notes.ts';
import type { Tool } from '../tools/tool.ts';
import { meetingOpenings } from './meeting-openings.ts';

export type MeetingQuestion = CallQuestion | OpeningQuestion;

/** Asked as a turn opens. */
export interface OpeningQuestion {
  ability: 'opens';
  text: string;
  /** With which a right opening begins. */
  act: Act;
  way: 'opening';
  made?: undefined;
}

export interface CallQuestion {
  ability: Exclude<Ability, 'opens'>;
  text: string;
  /** A call that stands as made by the model, with its result, when it is asked. */
  made?: { tool: string; args: Record<string, unknown>; result: string };
  /** `smallest`: under the loosest grammar there is. `about`: for an answer alone, behind what it is about. */
  way: CallMode | 'smallest' | 'about';
  /** As a model that opens its turns says what it will answer. */
  about?: string;
  judge: (answer: MeetingAnswer) => Seen[];
}

/** A reply that came to its end and said something beside thoughts. */
interface MeetingAnswer {
  /** Also of a reply that broke its grammar. */
  text: string;
  /** Structured calls, also those that only a grammar brought. `tool` null = there is none of that name. */
  calls: readonly {
    tool: Pick<Tool, 'name' | 'mutates'> | null;
    isReadable: boolean;
    args: Record<string, unknown>;
  }[];
  /** Calls that stand in the text. */
  textCalls: number;
  /** Under a grammar: neither call nor answer. */
  isBroken: boolean;
}

/** So many wordings of each, which is how many observations it takes to decide. */
const wordings = questionsThatTell;

interface MadeCall {
  tool: string;
  args: Record<string, unknown>;
  /** Whether such arguments of that tool ask for the same again. */
  isAgain: (args: Record<string, unknown>) => boolean;
}

/** The call that brought the text of a file, or of what stands for it; undefined = none of these tools brings text. */
function callFor(file: string, tools: ReadonlySet<string>): MadeCall | undefined {
  const isNamed = (args: Record<string, unknown>): boolean => JSON.stringify(args).includes(file);
  const calls: MadeCall[] = [
    {
      tool: 'read_file',
      args: { path: file },
      isAgain: ({ path }) => path === file || path === `./${file}`,
    },
    { tool: 'tool_call', args: { name: 'files.read', arguments: { path: file } }, isAgain: isNamed },
    { tool: 'fetch_url', args: { url: `https://example.com/${file}` }, isAgain: isNamed },
    { tool: 'search_collections', args: { query: file }, isAgain: () => true },
  ];
  return calls.find(({ tool }) => tools.has(tool));
}

const noCallNeeded = [
  'What is seven times eight? Answer with the number alone.',
  'Which month comes after April? Answer with one word.',
  'Say good morning in French, in two words.',
];

const fromResult = [
  { file: 'notes/ideas.md', content: 'Paint the fence green.', text: 'Which colour should the fence get?' },
  { file: 'README.md', content: 'Ledger counts overdue books.', text: 'What does Ledger count?' },
  { file: 'data/books.csv', content: 'title,days\nEmma,14', text: 'How many days does Emma have?' },
];

/** What stands beside it in the file belongs to another question. */
const pickable = [
  {
    file: 'team.txt',
    content: 'Ada drives the van.\nBo brings the tent.\nCleo cooks.',
    text: 'Who brings the tent? It stands in team.txt.',
    about: 'who brings the tent',
    right: 'Bo',
    others: ['Ada', 'Cleo'],
  },
  {
    file: 'travel.md',
    content: 'Day 1: Lisbon\nDay 2: Porto\nDay 3: Braga',
    text: 'Which city is on day 2 in travel.md?',
    about: 'the city',
    right: 'Porto',
    others: ['Lisbon', 'Braga'],
  },
  {
    file: 'pets.csv',
    content: 'name,age\nRex,4\nMia,12\nTom,7',
    text: 'How old is Mia in pets.csv? Only the number.',
    about: 'the age',
    right: '12',
    others: ['Mia', 'Rex', 'Tom', 'age'],
  },
];

const plans = [
  {
    file: 'hello.txt',
    steps: ['Create hello.txt', 'Read it'],
    text: 'Create hello.txt with "Good morning", then read it.',
  },
  {
    file: 'README.md',
    steps: ['Read README.md', 'Sum it up'],
    text: 'Read README.md, then sum it up in one line.',
  },
  { file: 'src', steps: ['List src', 'Count the files'], text: 'List the folder src, then count its files.' },
  {
    file: 'total.txt',
    steps: ['Read data/books.csv', 'Write total.txt'],
    text: 'Count the books in data/books.csv, then write the number into total.txt.',
  },
];

/** Each with a note behind it, of the kind that leads a model through its work. */
const noted = [
  { text: 'What colour is snow? Answer with one word.', note: '7 steps are left. Bring the work to an end.' },
  {
    text: 'Write hello.txt with the text Good morning.',
    note: '3 steps are left. Bring the work to an end.',
  },
  {
    text: 'Which day comes after Monday? Answer with one word.',
    note: 'This is the last step. Answer now with what you have, without calling a tool.',
  },
];

/** For a model test, which has time: how a model that makes its own calls works with plans, results and plain questions. */
export function behaviourQuestions(tools: readonly { name: string }[]): CallQuestion[] {
  const names = new Set(tools.map(({ name }) => name));
  return [
    ...(names.has('todo') ? plans.map(workAfterPlan) : []),
    ...fromResult.map((each) => resultToAnswerFrom(each, names, 'native')),
    ...noCallNeeded.map((text) => withoutCall(text, 'native')),
    ...noted.map((each) => behindNote(each, 'native')),
  ].flatMap((each) => each ?? []);
}

/** Of a profile that has all tools. */
export const maxBehaviourQuestions = plans.length + fromResult.length + noCallNeeded.length + noted.length;

/** For a model that works under a grammar: what decides whether it is led through its turns. */
export const openingQuestions: readonly OpeningQuestion[] = meetingOpenings.map((opening) => ({
  ability: 'opens',
  way: 'opening',
  ...opening,
}));

/** For a model that opens its turns: what decides whether its words stand in front of its answers. */
export function pickQuestions(tools: readonly Pick<Tool, 'name'>[]): CallQuestion[] {
  const names = new Set(tools.map(({ name }) => name));
  return pickable.flatMap(({ file, content, text, about, right, others }): CallQuestion[] => {
    const made = callFor(file, names);
    if (!made) return [];
    const judge: CallQuestion['judge'] = ({ text: said }) => [
      { ability: 'picks', isGood: said.includes(right) && !others.some((each) => said.includes(each)) },
    ];
    const { tool, args } = made;
    const result = `${content}\n\n${text}`;
    return [{ ability: 'picks', text, made: { tool, args, result }, way: 'about', about, judge }];
  });
}

/**
 * Those that a head with these tools can be asked. First what decides how the first turn works: whether the model makes its
 * own calls, else whether it keeps to a grammar and opens its turns. Then one of each kind before the second of any.
 */
export function meetingQuestions(
  tools: readonly Pick<Tool, 'name' | 'schema'>[],
  mayCallNatively: boolean,
): MeetingQuestion[] {
  const names = new Set(tools.map(({ name }) => name));
  const calls = answerable(tools).slice(0, wordings);
  const way: CallMode = mayCallNatively ? 'native' : 'constrained';
  const native = mayCallNatively ? calls.map(nativeCall) : [];
  const [grammar, ...grammars] = calls.map(anyNamedCall);
  const others = Array.from({ length: wordings }, (_, round): (CallQuestion | undefined)[] => [
    withoutCall(noCallNeeded[round], way),
    resultToAnswerFrom(fromResult[round], names, way),
    mayCallNatively && names.has('todo') ? workAfterPlan(plans[round]) : undefined,
    behindNote(noted[round], way),
    grammars[round],
  ]);
  const isThere = (each: MeetingQuestion | undefined): each is MeetingQuestion => each !== undefined;
  return [...native, grammar, ...openingQuestions, ...pickQuestions(tools), ...others.flat()].filter(isThere);
}

function nativeCall(question: Question): CallQuestion {
  return {
    ability: 'native',
    text: question.text,
    way: 'native',
    judge: ({ calls, textCalls }) => [
      {
        ability: 'native',
        isGood: calls.some(
          ({ tool, isReadable, args }) => tool !== null && isReadable && isRight(question, tool.name, args),
        ),
      },
      ...(textCalls > 0 ? [{ ability: 'text' as const, isGood: true }] : []),
    ],
  };
}

function withoutCall(text: string | undefined, way: CallMode): CallQuestion | undefined {
  if (text === undefined) return undefined;
  return {
    ability: 'restraint',
    text,
    way,
    judge({ calls, textCalls, isBroken }) {
      if (calls.some(({ tool }) => tool?.mutates)) return [{ ability: 'restraint', isGood: false }];
      return calls.length + textCalls > 0 || isBroken ? [] : [{ ability: 'restraint', isGood: true }];
    },
  };
}

function resultToAnswerFrom(
  asked: (typeof fromResult)[number] | undefined,
  tools: ReadonlySet<string>,
  way: CallMode,
): CallQuestion | undefined {
  const made = asked && callFor(asked.file, tools);
  if (!made) return undefined;
  const { file, content, text } = asked;
  const { isAgain, ...call } = made;
  return {
    ability: 'settles',
    text: `${text} It stands in ${file}.`,
    made: { ...call, result: content },
    way,
    judge({ calls, textCalls, isBroken }) {
      if (calls.some(({ tool, args }) => tool?.name === call.tool && isAgain(args)))
        return [{ ability: 'settles', isGood: false }];
      return calls.length + textCalls > 0 || isBroken ? [] : [{ ability: 'settles', isGood: true }];
    },
  };
}

function workAfterPlan(plan: (typeof plans)[number] | undefined): CallQuestion | undefined {
  if (!plan) return undefined;
  const list = plan.steps.map((step, index) => `${String(index + 1)}. [ ] ${step}`).join('\n');
  return {
    ability: 'planning',
    text: `${plan.text} Keep a list of the steps.`,
    made: { tool: 'todo', args: { action: 'set', steps: plan.steps }, result: list },
    way: 'native',
    judge: ({ calls }) => [
      {
        ability: 'planning',
        isGood: calls.some(
          ({ tool, isReadable }) => tool !== null && isReadable && !isPlanningTool(tool.name),
        ),
      },
    ],
  };
}

function behindNote(asked: (typeof noted)[number] | undefined, way: CallMode): CallQuestion | undefined {
  if (!asked) return undefined;
  const sent = new SentNotes();
  sent.add(asked.note);
  return {
    ability: 'notes',
    text: asked.text + note(asked.note),
    way,
    judge({ text, calls, isBroken }) {
      if (sent.areCopiedIn({ text, calls })) return [{ ability: 'notes', isGood: false }];
      const hasSaid = text.trim() !== '' || calls.length > 0;
      return hasSaid && !isBroken ? [{ ability: 'notes', isGood: true }] : [];
    },
  };
}

function anyNamedCall({ text }: Question): CallQuestion {
  return {
    ability: 'grammar',
    text,
    way: 'smallest',
    judge: ({ calls, isBroken }) => [
      { ability: 'grammar', isGood: !isBroken && calls.some(({ tool }) => tool !== null) },
    ],
  };
}
