/**
 * The demo as a model that plans: a report about the folder is large enough for steps, of which a subagent does one.
 * Everything else is answered DIRECT.
 */
import { reply, type Reply } from '../script/reply.ts';
import { describeFolder } from './answers.ts';
import { doesDeed } from './tool-choice.ts';
import { firstLine, type DemoStep, type DemoTurn } from './conversation.ts';
import { act, nextReply, say, workAhead } from './intents.ts';
import { plainText, readListing } from './reading.ts';

const LARGE = /\breport\b|\bstep by step\b|\bplan\b/i;
const REPORT = 'REPORT.md';
const SUBTASK =
  'What is in the folder src? Look at this folder and say in a few sentences what the code does.';

const PLAN = `**Steps:**
**M1: Look around**
1. List the files of the folder — TOOL: list_files
2. Read the readme — TOOL: read_file
3. Have the source looked through — AGENT: reader
**M2: Write it down**
4. Write the report — TOOL: write_file
   CHECK: file ${REPORT}
5. Say what was found — SELF`;

const REVIEW = `**Critic:** the readme may be out of date; the code decides.
**Pragmatist:** one look at the source is enough.
**Detailer:** the report must exist as a file.
**Plan Adjustments:** check that ${REPORT} is there.`;

/** undefined = nothing was instructed: the person's words decide. */
export function instructedReply(turn: DemoTurn): Reply | undefined {
  switch (turn.instruction) {
    case 'classify':
      return LARGE.test(turn.words)
        ? say(
            'A report has several parts. I will plan it.',
            `Goal: a report about this folder in ${REPORT}.\nKnown: the folder.\nTo find out: what it is about, what the code does.\nRisks: claims that nothing supports.\nREFLECT: yes`,
          )
        : say('One or two steps. No plan is needed.', 'DIRECT');
    case 'review':
      return say('What could go wrong with it?', REVIEW);
    case 'plan':
      return say('Five steps are enough.', PLAN);
    case 'propose':
      return propose(turn);
    case 'execute':
      return carryOut(turn);
    case 'approved':
      return LARGE.test(turn.words) ? carryOut(turn) : undefined;
    case 'summary':
      return reply().text(
        `Goal: ${turn.words.slice(0, 200)}\nDone: what was asked so far.\nPending: nothing.`,
      );
    case 'facts':
      return reply().text('none');
    case 'person':
      return reply().text('Nothing is known yet.');
    case 'title':
      return reply().text(titleOf(turn.words));
    case 'direct':
      return undefined;
    case undefined:
      return turn.plansOnly && changesAhead(turn) ? lookAhead(turn) : undefined;
  }
}

const SMALL =
  /^(?:a|an|and|are|as|at|by|does|for|from|how|in|is|it|its|me|of|on|please|that|the|then|there|this|to|was|what|with|you|your)$/i;

/** The words that say most, as they stand in the message. */
function titleOf(words: string): string {
  const named = (words.match(/[\p{L}\p{N}][\p{L}\p{N}./_-]*/gu) ?? [])
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => !SMALL.test(word))
    .slice(0, 4)
    .join(' ');
  return `${named.slice(0, 1).toUpperCase()}${named.slice(1)}`;
}

const changesAhead = (turn: DemoTurn): boolean =>
  LARGE.test(turn.words) || workAhead(turn).some(({ act: kind }) => kind !== 'look');

/** What can be done before a plan is approved. */
function lookAhead(turn: DemoTurn): Reply {
  const [listing] = turn.steps;
  if (!listing) return act(turn, 'Only a plan for now. I will see what is there.', 'list', {});
  const { files, folders } = readListing(listing.result ?? '');
  return say(
    'I have seen enough to plan it.',
    `There are ${files.length} files and ${folders.length} folders here. This is how I would go about it.`,
  );
}

function propose(turn: DemoTurn): Reply {
  if (!changesAhead(turn)) return say('Nothing is to be changed.', 'DIRECT');
  if (LARGE.test(turn.words)) return say('Five steps are enough.', PLAN);
  const steps = workAhead(turn).map((step, at) => `${at + 1}. ${does[step.act]} ${step.what}`);
  return say('A short plan.', ['**Steps:**', ...steps, `${steps.length + 1}. Say how it went`].join('\n'));
}

const does = { look: 'Look at', change: 'Change:', run: 'Run', use: 'Use', answer: 'Answer' };

/** The next step of the plan, by what was done already. */
function carryOut(turn: DemoTurn): Reply {
  const done = turn.steps.filter(({ name }) => name !== 'todo');
  const [listing, reading, agent, ...last] = done;
  const writing = last.find(({ name, failed: isFailed }) => !isFailed && doesDeed(name, 'write'));
  const failed = done.at(-1)?.failed === true ? done.at(-1) : undefined;
  if (failed && failed !== agent) return nextReply(turn);
  if (!listing) return marked(turn, [['start', 1]], act(turn, 'Step 1: what is there?', 'list', {}));
  const readme = readListing(listing.result ?? '').files.find((file) => /readme/i.test(file)) ?? 'README.md';
  if (!reading) {
    return marked(turn, [['done', 1]], act(turn, 'Step 2: the readme.', 'read', { path: readme }));
  }
  if (!agent) return marked(turn, [['done', 2]], handOver(turn));
  if (!writing) {
    const content = reportOf(listing, reading, agent);
    // Written again, once what was there has been read, it is still the same step.
    const marks = last.length === 0 ? [['done', 3] as const] : [];
    return marked(turn, marks, act(turn, 'Step 4: the report.', 'write', { path: REPORT, content }));
  }
  return say(
    'All steps are done. I will say what was found.',
    `The report is in \`${REPORT}\`.\n\n${describeFolder(readListing(listing.result ?? ''), { name: readme, text: reading.result ?? '' })}`,
  );
}

function handOver(turn: DemoTurn): Reply {
  const offered = turn.tools.some(({ function: { name } }) => name === 'spawn_agent');
  if (!offered) return act(turn, 'Step 3: the source, by myself.', 'search', { pattern: 'export' });
  return reply()
    .thinking('Step 3 stands by itself: a subagent can do it.')
    .toolCall('spawn_agent', { task: SUBTASK, briefing: 'The source is in src.', profile_id: 'reader' });
}

/** The same reply, with marks in the todo list before its own call. */
function marked(turn: DemoTurn, marks: readonly (readonly ['start' | 'done', number])[], next: Reply): Reply {
  const hasTodo = turn.tools.some(({ function: { name } }) => name === 'todo');
  // A grammar has room for one call, and some engines read only one.
  if (!hasTodo || turn.request.format !== undefined) return next;
  const [thought, ...calls] = next.steps;
  if (thought?.do !== 'thinking' || calls.length === 0) return next;
  const began = marks.reduce(
    (written, [action, step]) => written.toolCall('todo', { action, step, validation: 'seen' }),
    reply().thinking(thought.text),
  );
  return calls.reduce(
    (written, step) => (step.do === 'call' ? written.toolCall(step.name, step.arguments) : written),
    began,
  );
}

function reportOf(listing: DemoStep, reading: DemoStep, agent: DemoStep): string {
  const { files, folders } = readListing(listing.result ?? '');
  const about = plainText(reading.result ?? '')
    .split('\n')
    .find((line) => line.trim() !== '' && !line.startsWith('#'));
  return `# Report\n\n${about ?? 'The readme says nothing.'}\n\nThere are ${files.length} files and ${folders.length} folders at the top.\n\nThe source, as a subagent saw it: ${firstLine((agent.result ?? '').split('\n\n').at(-1) ?? '')}\n`;
}
