import { reply, type Reply } from '../script/reply.ts';
import { firstLine, type DemoStep, type DemoTurn } from './conversation.ts';
import { describeFile, describeFolder, describeHits, describeRun, describeUntested } from './answers.ts';
import type { OpeningStep } from '../script/scripted-acts.ts';
import { readListing, readPackageScript, plainText } from './reading.ts';
import { ABOUT, EXAMPLES, GREETING, LONG_ANSWER, NO_TOOLS, PATIENCE, THANKS } from './talk.ts';
import { callFor, doesDeed, type Deed, type Meaning } from './tool-choice.ts';

/** A kind of task: recognised by the person's words, carried on by what the tools returned so far. */
interface Intent {
  pattern: RegExp;
  /** What it takes, said before any of it is done; absent = an answer. */
  work?(match: RegExpExecArray): OpeningStep[];
  /** The next reply of the turn. `match` is what the pattern found. */
  next(turn: DemoTurn, match: RegExpExecArray): Reply;
}

/** Long enough to press Stop in peace. */
const SLOW_PREFILL_SECONDS = 60;
const README = /(?:^|\/)readme[^/]*$/i;
const FILE = String.raw`[\w@./-]*[\w-]\.\w+`;
const look = (what: string): OpeningStep => ({ act: 'look', what });
const QUOTED = `["'“‘\`]([^"'”’\`]+)["'”’\`]`;

/** Thinks, then calls the offered tool for a deed; answers in words where there is none. */
export function act(
  turn: DemoTurn,
  thought: string,
  deed: Deed,
  wanted: Partial<Record<Meaning, string>>,
): Reply {
  const call = callFor(turn.tools, deed, wanted);
  if (call !== undefined) return reply().thinking(thought).toolCall(call.name, call.args);
  const missing =
    turn.tools.length === 0 ? NO_TOOLS : `None of the tools I have can ${deed} here, so I stop.`;
  return reply().thinking(`${thought} But there is no tool for that.`).text(missing);
}

export function say(thought: string, text: string): Reply {
  return reply().thinking(thought).text(text);
}

/** What came of it in this turn, whatever else was done. */
const stepOf = (turn: DemoTurn, deed: Deed): DemoStep | undefined =>
  turn.steps.find(({ name, failed }) => !failed && doesDeed(name, deed));

/** A tool did not do what was asked: say what happened, and stop there. */
function giveUp(step: DemoStep): Reply {
  const reason = firstLine(step.result ?? '').trim();
  const declined = /declined/i.test(reason);
  if (declined) {
    return say(
      'The person did not want that. I will not try it again.',
      `You declined \`${step.name}\`, so I leave it at that. Tell me what you would like instead.`,
    );
  }
  return say(
    'That did not work. I will say so.',
    `\`${step.name}\` failed, so I have nothing to show.\n\n> ${reason}\n\nI could not go on from there. If that should have worked, check the name and ask me again.`,
  );
}

const explore: Intent = {
  pattern:
    /^\W*(?:please )?list\b.*\b(?:files?|folders?)\b|\b(?:what(?:'s| is| are)?\b.*\b(?:folder|here|project|repo|files)|readme\b(?!\.)|overview|(?:explain|describe|look at) (?:how )?(?:this|the) (?:project|repo|folder|code)|erkläre?,? wie dieses projekt)/i,
  work: () => [look('.'), look('the readme')],
  next: (turn) => {
    const [listing, reading] = [stepOf(turn, 'list'), stepOf(turn, 'read')];
    if (listing === undefined) {
      return act(
        turn,
        'They want to know what this folder is. I will look at what is there first.',
        'list',
        {},
      );
    }
    const entries = readListing(listing.result ?? '');
    const readme =
      entries.files.find((file) => README.test(file)) ?? entries.files.find((file) => file.endsWith('.md'));
    if (reading === undefined && readme !== undefined) {
      const seen = `${entries.files.length} files and ${entries.folders.length} folders.`;
      return act(turn, `${seen} ${readme} should say what it is about. I will read it.`, 'read', {
        path: readme,
      });
    }
    const read = reading && { name: readme ?? 'the file', text: reading.result ?? '' };
    return say('I have seen enough to answer. I will keep to what I read.', describeFolder(entries, read));
  },
};

/** Compares the names of the sources with those of the tests. */
const untested: Intent = {
  pattern: /\b(?:without|no) tests?\b|\buntested\b|\bohne tests?\b/i,
  work: () => [look('.'), look('the source'), look('the tests')],
  next: (turn) => {
    const [root, ...inside] = turn.steps
      .filter(({ name, failed }) => !failed && doesDeed(name, 'list'))
      .map(({ result }) => readListing(result ?? ''));
    if (root === undefined) return act(turn, 'Where is the source, and where are the tests?', 'list', {});
    const paths = [/^(?:src|lib|source)\/?$/i, /^(?:tests?|spec)\/?$/i].flatMap(
      (named) => root.folders.find((folder) => named.test(folder)) ?? [],
    );
    const [source, tests] = inside;
    const path = paths[inside.length];
    if (path !== undefined) return act(turn, `I will list ${path}.`, 'list', { path });
    if (source === undefined || tests === undefined) {
      return say('I cannot tell them apart here.', 'I found no folder for source beside one for tests.');
    }
    return say('Now I compare the names.', describeUntested(source.files, tests.files));
  },
};

const readOne: Intent = {
  pattern: new RegExp(`\\b(?:read|show|open|explain|summari[sz]e|print)\\b.*?(${FILE})`, 'i'),
  work: ([, path = '']) => [look(path)],
  next: (turn, match) => {
    const path = match[1] ?? '';
    const reading = stepOf(turn, 'read');
    if (reading === undefined)
      return act(turn, `They name the file: ${path}. I will read it.`, 'read', { path });
    return say(
      'I have the text. A short account and the beginning of it.',
      describeFile(path, reading.result ?? ''),
    );
  },
};

const searchFor: Intent = {
  pattern: new RegExp(
    `\\b(?:search|grep|look|find|where)\\b(?:.*?\\bfor\\b)?.*?(?:${QUOTED}|\\b(\\w{3,})\\W*$)`,
    'i',
  ),
  work: ([, quoted, word = '']) => [look(quoted ?? word)],
  next: (turn, match) => {
    const pattern = match[1] ?? match[2] ?? '';
    const search = stepOf(turn, 'search');
    if (search === undefined)
      return act(turn, `I will search the files for ${pattern}.`, 'search', { pattern });
    return say('Now I only need to sort what was found.', describeHits(pattern, search.result ?? ''));
  },
};

const runTests: Intent = {
  pattern: /\b(?:run|execute|check)\b.*\btests?\b|\btests? (?:pass|green)/i,
  work: () => [look('package.json'), { act: 'run', what: 'npm test' }],
  next: (turn) => {
    const [reading, run] = [stepOf(turn, 'read'), stepOf(turn, 'run')];
    if (reading === undefined) {
      return act(turn, 'How are tests run here? package.json should know.', 'read', { path: 'package.json' });
    }
    if (run === undefined) {
      const script = readPackageScript(reading.result ?? '', 'test');
      const found =
        script === undefined
          ? 'No test script there; I will try the usual one.'
          : `The test script is \`${script}\`.`;
      return act(turn, `${found} I will run it.`, 'run', { command: 'npm test' });
    }
    return say('The output says how it went.', describeRun('npm test', run.result ?? ''));
  },
};

const runCommand: Intent = {
  pattern: new RegExp(
    `\\b(?:run|execute)\\b.*?(?:${QUOTED}|\\b((?:npm|node|git|ls|cat|echo|python3?|make|sleep)\\b.*))`,
    'i',
  ),
  work: ([, quoted, words = '']) => [{ act: 'run', what: (quoted ?? words).trim() }],
  next: (turn, match) => {
    const command = (match[1] ?? match[2] ?? '').trim();
    const run = stepOf(turn, 'run');
    if (run === undefined)
      return act(turn, 'A command, word for word. I will run it as it is.', 'run', { command });
    return say('It has run. I will report what it printed.', describeRun(command, run.result ?? ''));
  },
};

const createFile: Intent = {
  pattern: new RegExp(
    `\\b(?:create|write|add|make|save|overwrite)\\b.*?(${FILE})(?:[^"'“‘]*?${QUOTED})?`,
    'i',
  ),
  work: ([asked, path = '']) => [
    { act: 'change', what: /^overwrite/i.test(asked) ? `replace all of ${path}` : `write ${path}` },
  ],
  next: (turn, match) => {
    const [, path = '', text] = match;
    const content = `${text ?? `# ${path.replace(/^.*\//, '').replace(/\.\w+$/, '')}\n\nWritten because somebody asked for it.`}\n`;
    const writing = stepOf(turn, 'write');
    if (writing === undefined)
      return act(turn, `A new file: ${path}. I will write it.`, 'write', { path, content });
    const shown = content
      .trimEnd()
      .split('\n')
      .map((line) => `> ${line}`);
    return say(
      'Written. I will say what is in it now.',
      `\`${path}\` is written:\n\n${shown.join('\n')}\n\nNothing else was touched.`,
    );
  },
};

const editFile: Intent = {
  pattern: new RegExp(
    `\\b(?:replace|change|rename|edit)\\b.*?${QUOTED}.*?\\b(?:with|to|by|into)\\b.*?${QUOTED}.*?\\bin\\b\\s+[\`"']?(${FILE})`,
    'i',
  ),
  work: ([, old = '', , path = '']) => [look(path), { act: 'change', what: `${old} in ${path}` }],
  next: (turn, match) => {
    const [, old = '', replacement = '', path = ''] = match;
    const [reading, edit] = [stepOf(turn, 'read'), stepOf(turn, 'edit')];
    if (reading === undefined) return act(turn, `I must read ${path} before I change it.`, 'read', { path });
    const line = plainText(reading.result ?? '')
      .split('\n')
      .find((candidate) => candidate.includes(old));
    if (line === undefined) {
      return say(
        'It is not in there. I will not guess.',
        `\`${path}\` does not contain “${old}”, so I changed nothing.`,
      );
    }
    const changed = line.replace(old, replacement);
    if (edit === undefined) {
      return act(turn, `There it is. I will change that one line.`, 'edit', {
        path,
        old: line,
        new: changed,
      });
    }
    const diff = ['```diff', `- ${line}`, `+ ${changed}`, '```'].join('\n');
    return say('Done. I will show the line before and after.', `Changed one line of \`${path}\`:\n\n${diff}`);
  },
};

const longAnswer: Intent = {
  pattern:
    /\blong (?:answer|text|reply)|\bessay\b|\bmarkdown\b|\btables?\b|\bhow (?:fast|does (?:a|this|the) (?:local )?model)/i,
  next: () =>
    say(
      'Something long with headings, tables and code. Load, prefill and decode is a good subject.',
      LONG_ANSWER,
    ),
};

const slow: Intent = {
  pattern: /\btake your time\b|\bslow(?:ly)?\b|\b(?:60|sixty)[ -]second/i,
  next: () =>
    say('That took a minute of reading. I am glad you waited.', PATIENCE).prefill(SLOW_PREFILL_SECONDS),
};

const thanks: Intent = {
  pattern: /^\W*(?:thanks?|thank you|great|nice|perfect|cool|ok(?:ay)?)\b/i,
  next: () => say('They are content.', THANKS),
};

const greeting: Intent = {
  pattern:
    /^\W*(?:hi|hello|hey|good (?:morning|evening|day)|moin)\b|\bwho are you\b|\bwhat can you do\b|\bhelp\b/i,
  next: () => say('A greeting. I will say what I am and what to try.', GREETING),
};

const textFileOf = ({ files }: DemoTurn): DemoTurn['files'][number] | undefined =>
  files.find(({ isImage, path }) => !isImage && path !== undefined);

/** Reads the first text of them; what is in an image only a real model could say. */
function lookAtFiles(turn: DemoTurn): Reply {
  const text = textFileOf(turn);
  const reading = stepOf(turn, 'read');
  if (text?.path !== undefined && reading === undefined)
    return act(turn, `They attached ${text.name}. I will read it.`, 'read', { path: text.path });
  const images = turn.files.filter(({ isImage }) => isImage).map(({ name }) => `\`${name}\``);
  const parts = [
    ...(text && reading ? [describeFile(text.name, reading.result ?? '')] : []),
    ...(images.length > 0
      ? [`I was shown ${images.join(', ')}. What is in a picture only a real model could tell you.`]
      : []),
  ];
  return say(
    'They gave me files. I will say what I make of them.',
    parts.join('\n\n') || 'I was given files, and have no tool that reads them.',
  );
}

const REPORT = 'REPORT.md';

/** Without a plan, and so without a subagent. */
const report: Intent = {
  pattern: /\breport\b/i,
  work: () => [look('.'), look('the readme'), { act: 'change', what: `write ${REPORT}` }],
  next: (turn) => {
    const [listing, reading] = [stepOf(turn, 'list'), stepOf(turn, 'read')];
    if (listing === undefined) return act(turn, 'A report: what is there?', 'list', {});
    const { files, folders } = readListing(listing.result ?? '');
    const readme = files.find((file) => README.test(file));
    if (reading === undefined && readme !== undefined)
      return act(turn, 'The readme should say what it is about.', 'read', { path: readme });
    const read = readme === undefined ? undefined : reading && { name: readme, text: reading.result ?? '' };
    const found = describeFolder({ files, folders }, read);
    if (stepOf(turn, 'write') === undefined) {
      const content = `# Report\n\n${found}\n`;
      return act(turn, 'I have seen enough to write it.', 'write', { path: REPORT, content });
    }
    return say('It is written. I will say what is in it.', `The report is in \`${REPORT}\`.\n\n${found}`);
  },
};

/** From the most particular to the most general. */
const INTENTS: readonly Intent[] = [
  editFile,
  untested,
  runTests,
  longAnswer,
  slow,
  createFile,
  runCommand,
  explore,
  readOne,
  searchFor,
  report,
  thanks,
  greeting,
];

/** What the turn will take, in the order in which `nextReply` does it. */
export function workAhead(turn: DemoTurn): OpeningStep[] {
  if (turn.files.length > 0) {
    const text = textFileOf(turn);
    return text?.path === undefined ? [] : [look(text.path)];
  }
  const [found] = chosen(turn);
  return found ? (found.intent.work?.(found.match) ?? []) : [];
}

function chosen({ words }: DemoTurn): { intent: Intent; match: RegExpExecArray }[] {
  return INTENTS.flatMap((intent) => {
    const match = intent.pattern.exec(words);
    return match === null ? [] : [{ intent, match }];
  });
}

/** A tool that writes replaces no file that was not read: it is read, and then written after all. Null = it is something else. */
function readBeforeReplacing(turn: DemoTurn): Reply | null {
  const last = turn.steps.at(-1);
  const path = last?.args['path'];
  if (!last?.failed || typeof path !== 'string' || !/was not read yet/.test(last.result ?? '')) return null;
  return act(turn, `${path} is there already. I will read it before I replace it.`, 'read', { path });
}

/** The demo model's next reply. */
export function nextReply(turn: DemoTurn): Reply {
  const last = turn.steps.at(-1);
  if (last?.failed === true) return readBeforeReplacing(turn) ?? giveUp(last);
  if (turn.files.length > 0) return lookAtFiles(turn);
  const [found] = chosen(turn);
  if (found) return found.intent.next(turn, found.match);
  const ideas = EXAMPLES.slice(0, 4).map((example) => `- ${example}`);
  return say(
    'None of my rules fits this. I will say so.',
    `I have no rule for that. ${ABOUT}\n\nTry one of these:\n\n${ideas.join('\n')}`,
  );
}
