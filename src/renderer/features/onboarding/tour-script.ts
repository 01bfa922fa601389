/**
 * The tour: a first task as it went on the simulated engine at the pace of a 9B model, planned, done, asked about, proved,
 * and a second message stopped in the middle. Times, counters and words are those of the recording; nothing runs here.
 */
import type { ToolDisplay } from '../../../protocol/model.ts';
import type { Recording } from './tour-player.ts';
import { stepsOf, reportRecording, tourModel, type PlannedStep } from './tour-telling.ts';

export type TourChapter = 'asks' | 'plans' | 'ticks' | 'approves' | 'done' | 'stops';

const workspace = 'bookbox';
const message =
  'Write a report about this folder into REPORT.md: what it is for, how its code is built, and what its tests check.';

const lookAround = 'M1: Look around';
const writeDown = 'M2: Write it down';
const tool = (name: string) => ({ kind: 'tool', tool: name }) as const;
const steps: PlannedStep[] = [
  { text: 'List the files of the folder', milestone: lookAround, executor: tool('list_files'), check: null },
  { text: 'Read the readme', milestone: lookAround, executor: tool('read_file'), check: null },
  {
    text: 'Have the source looked through',
    milestone: lookAround,
    executor: { kind: 'agent', profileId: 'reader' },
    check: null,
  },
  {
    text: 'Write the report',
    milestone: writeDown,
    executor: tool('write_file'),
    check: { kind: 'file_exists', path: 'REPORT.md' },
  },
  { text: 'Say what was found', milestone: writeDown, executor: { kind: 'self' }, check: null },
];

const plan = `**Steps:**
**M1: Look around**
1. List the files of the folder — TOOL: list_files
2. Read the readme — TOOL: read_file
3. Have the source looked through — AGENT: reader
**M2: Write it down**
4. Write the report — TOOL: write_file
   CHECK: file REPORT.md
5. Say what was found — SELF`;
const analysis = `Goal: a report about this folder in REPORT.md.
Known: the folder.
To find out: what it is about, what the code does.
Risks: claims that nothing supports.`;
const review = `**Critic:** the readme may be out of date; the code decides.
**Pragmatist:** one look at the source is enough.
**Detailer:** the report must exist as a file.
**Plan Adjustments:** check that REPORT.md is there.`;

const entries = ['data/', 'notes/', 'src/', 'test/', 'README.md', 'package.json'];
const listing = { kind: 'list', entries, total: entries.length, truncated: false } as const;

const about = `This folder holds **Bookbox**.

> A ledger for the wooden book box on the corner of Lantern Street. Neighbours take a book, leave a book, and write a line on the pad inside the lid; Bookbox turns those lines into a tidy list.

By its own account it

- knows every book in \`data/books.csv\`: title, author, shelf, and who has it
- lends a book and takes it back, and refuses to lend the same copy twice
- tells which books have been away for more than thirty days`;

const readme = `# Bookbox

A ledger for the wooden book box on the corner of Lantern Street. Neighbours take a book, leave a book,
and write a line on the pad inside the lid; Bookbox turns those lines into a tidy list.

## What it does

- knows every book in \`data/books.csv\`: title, author, shelf, and who has it
- lends a book and takes it back, and refuses to lend the same copy twice
- tells which books have been away for more than thirty days`;
const readmeShown = {
  kind: 'file',
  path: 'README.md',
  text: readme,
  firstLine: 1,
  lastLine: 10,
  totalLines: 25,
} as const;

const report = [
  '# Report',
  '',
  'A ledger for the wooden book box on the corner of Lantern Street. Neighbours take a book, leave a book,',
  '',
  'There are 2 files and 4 folders at the top.',
  '',
  'The source, as a subagent saw it: It goes on about “What it does”, “Use”, “How it is built”.',
];
const reportShown: ToolDisplay = {
  kind: 'diff',
  path: 'REPORT.md',
  hunks: [{ oldStart: 1, newStart: 1, lines: report.map((line) => `+${line}`) }],
  added: report.length,
  removed: 0,
};

const longAnswer = `# Why a local model starts fast or slowly

A language model on your own machine spends its time in three places. Knowing which one you are waiting for is half of making it faster.

| phase | what happens | what it depends on |
|---|---|---|
| load | weights go from disk to graphics memory | size of the file, speed of the disk |
| prefill | the whole prompt is read once | length of the prompt that is *not* in the cache |
| decode | one token after the other is written | memory bandwidth of the card |

## Load

The file is read once and stays in graphics memory until it is unloaded. A model of 5.7 GB takes about three`;

function moments(): Recording<TourChapter>['moments'] {
  const told = reportRecording();
  const todo = (at: number, done: number, started: boolean): void =>
    told.todo(at, (startedAt) => ({
      steps: stepsOf(steps, done, started, { 3: { text: 'exists, 265 bytes', at: startedAt + 42_118 } }),
    }));

  // Before it plays there is something to see.
  told.turn(0, 'tour_turn_1', message);
  told.event(83, { type: 'turn/phase', phase: 'loading' });
  told.event(3_095, { type: 'turn/phase', phase: 'lease' });
  told.event(6_488, { type: 'planning/status', phase: 1 });
  told.event(6_489, { type: 'turn/phase', phase: 'prefill' });
  told.event(6_712, { type: 'turn/phase', phase: 'thinking' });
  told.event(7_064, { type: 'turn/phase', phase: 'text' });
  told.usage(8_281, 0, [1_993, 1_849, 63, 197, 1_551]);
  told.event(8_319, { type: 'planning/status', phase: 2 });
  told.event(8_885, { type: 'turn/phase', phase: 'text' });
  told.usage(10_268, 0, [2_146, 1_989, 66, 408, 1_666], 50);
  told.event(10_270, { type: 'planning/status', phase: 3 });
  told.event(11_005, { type: 'turn/phase', phase: 'text' });
  told.usage(13_229, 0, [2_486, 2_142, 97, 497, 2_409], 58);
  todo(13_340, 0, false);
  told.item(13_342, { kind: 'plan', text: plan, analysis, review, steps: stepsOf(steps, 0, false) });
  told.event(13_345, { type: 'planning/status', phase: null });
  told.event(13_350, { type: 'turn/phase', phase: 'prefill' });

  told.says(13_553, 15_321, 'thinking', 'Step 1: what is there?');
  told.calls(15_843, 15_850, 15_871, { tool: 'list_files', subject: '.', display: listing });
  told.usage(15_875, 1, [2_625, 2_482, 91, 186, 2_312], 89);
  todo(15_880, 0, true);
  told.says(16_102, 17_853, 'thinking', 'Step 2: the readme.');
  told.calls(18_754, 18_760, 18_771, { tool: 'read_file', subject: 'README.md', display: readmeShown });
  told.usage(18_775, 2, [2_781, 2_715, 107, 99, 2_656]);
  todo(18_780, 1, true);
  told.says(19_163, 21_092, 'thinking', 'Step 3 stands by itself: a subagent can do it.');
  todo(23_480, 2, true);

  const task =
    'What is in the folder src? Look at this folder and say in a few sentences what the code does.';
  const agent = told.calls(23_477, 23_490, 32_914, { tool: 'spawn_agent', subject: task, result: about });
  const shown = (
    at: number,
    state: 'waiting' | 'running' | 'ended',
    iterations: number,
    toolCalls: number,
  ): void => told.agent(at, agent, { profileId: 'reader', task, state, iterations, toolCalls, from: 23_490 });
  told.usage(23_482, 3, [3_165, 2_887, 173, 371, 4_308]);
  shown(23_491, 'waiting', 0, 0);
  shown(23_600, 'running', 0, 0);
  const looks = 'They want to know what this folder is. I will look at what is there first.';
  told.says(24_738, 25_683, 'thinking', looks, agent);
  told.calls(25_684, 25_690, 25_694, {
    tool: 'list_files',
    subject: '.',
    display: listing,
    parentCallId: agent,
  });
  shown(25_700, 'running', 1, 1);
  const reads = '2 files and 4 folders. README.md should say what it is about. I will read it.';
  told.says(25_793, 27_258, 'thinking', reads, agent);
  told.calls(27_259, 27_265, 27_270, {
    tool: 'read_file',
    subject: 'README.md',
    display: readmeShown,
    parentCallId: agent,
  });
  shown(27_275, 'running', 2, 2);
  told.says(28_057, 32_890, 'text', about, agent);
  shown(32_906, 'ended', 3, 2);

  told.says(33_307, 35_059, 'thinking', 'Step 4: the report.');
  todo(35_070, 3, true);
  const write = told.calls(38_076, 42_095, 42_117, {
    tool: 'write_file',
    subject: 'REPORT.md',
    args: { path: 'REPORT.md', content: report.join('\n') },
    result: 'Created REPORT.md: 7 added, 0 removed.',
    display: reportShown,
  });
  told.usage(38_090, 4, [3_598, 3_337, 192, 356, 4_776]);
  told.event(38_093, { type: 'turn/phase', phase: 'approval' });
  told.asks(38_094, write, {
    id: 'tour_ask',
    tool: 'write_file',
    risk: 'write',
    summary: 'Write REPORT.md (7 lines)',
    mutates: 'Creates REPORT.md, or replaces all of it',
    where: workspace,
    sandboxed: false,
    why: 'The profile Planner asks before anything is changed.',
    scopes: ['once', 'session'],
    grant: { tool: 'write_file', folder: workspace, shown: `${workspace}/` },
  });
  told.event(42_090, { type: 'approval/resolved', itemId: write, decision: 'allow' });
  told.item(42_118, {
    kind: 'note',
    note: 'evidence',
    text: 'Step 4 (Write the report) is done: exists, 265 bytes.',
  });
  todo(42_119, 4, true);
  told.says(42_213, 42_584, 'thinking', 'All steps are done. I will say what was found.');
  told.says(42_585, 47_678, 'text', `The report is in \`REPORT.md\`.\n\n${about}`);
  told.usage(47_680, 5, [3_843, 3_789, 219, 89, 5_469]);
  todo(47_681, 5, false);
  told.event(47_682, { type: 'turn/finished' });
  told.event(47_683, { type: 'turn/closed' });

  const question = 'Give me a long answer: how does a local model read a prompt and write its reply?';
  told.turn(47_695, 'tour_turn_2', question);
  told.event(47_700, { type: 'turn/phase', phase: 'prefill' });
  told.usage(52_420, 1, [4_133, 825, 14, 4_263, 320], 3_146);
  const subject =
    'Something long with headings, tables and code. Load, prefill and decode is a good subject.';
  told.says(52_421, 53_075, 'thinking', subject);
  told.says(53_076, 57_158, 'text', longAnswer);
  told.event(57_160, { type: 'turn/phase', phase: 'stopping' });
  const stop = {
    closedMs: 11,
    model: tourModel,
    stillLoaded: true,
    vramBytes: 6_281_435_392,
    during: 'text',
  } as const;
  const proof = {
    slot: 'sound',
    promptTokens: 4_558,
    keptTokens: 4_558,
    idleMs: 316,
    reloadMs: null,
  } as const;
  told.item(57_170, { kind: 'stopped', ...stop, ...proof });
  told.event(57_171, { type: 'turn/stopped' });
  told.event(57_490, { type: 'turn/closed' });
  return told.moments();
}

export const tourRecording: Recording<TourChapter> = {
  begin: (startedAt) => ({
    session: {
      id: 'tour',
      title: 'Write a report about this folder',
      workspace,
      profileId: 'planner',
      model: tourModel,
      pinned: false,
      status: 'running',
      createdAt: startedAt,
      updatedAt: startedAt,
    },
    turns: [],
    items: [],
    hasOlder: false,
    context: null,
  }),
  moments: moments(),
  chapters: [
    { at: 0, shows: 3_000, name: 'asks' },
    { at: 6_480, shows: 13_500, name: 'plans' },
    { at: 15_840, shows: 33_000, name: 'ticks' },
    { at: 35_060, shows: 40_000, name: 'approves' },
    { at: 42_088, shows: 47_685, name: 'done' },
    { at: 47_690, shows: 57_490, name: 'stops' },
  ],
  lengthMs: 60_000,
};
