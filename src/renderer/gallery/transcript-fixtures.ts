/** Conversations that ask the most of the transcript: every card open, every kind of markdown, too much of everything. */
import type { SessionSnapshot, ToolDisplay } from '../../protocol/model.ts';
import { openSession } from './fixtures.ts';
import { reportStory } from './story.ts';

const esc = '\u001B';

const searchDisplay: ToolDisplay = {
  kind: 'matches',
  files: 2,
  total: 214,
  truncated: true,
  matches: [
    { path: 'src/queue/lease.ts', line: 47, text: '    this.renewedAt = Date.now();' },
    { path: 'src/queue/lease.ts', line: 48, text: '    this.expiresAt = Date.now() + this.ttlMs;' },
    {
      path: 'src/queue/lease.ts',
      line: 112,
      text: `    return Date.now() > this.expiresAt; // ${'and so on '.repeat(20)}`,
    },
    {
      path: 'src/queue/heartbeat.ts',
      line: 31,
      text: '    if (Date.now() - lease.renewedAt > this.every) lease.renew();',
    },
  ],
};

const unchanged = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `   await step${from + at}();`);

const longDiff: ToolDisplay = {
  kind: 'diff',
  path: 'src/queue/lease.ts',
  added: 4,
  removed: 3,
  hunks: [
    {
      oldStart: 45,
      newStart: 45,
      lines: [
        '   renew(ttlMs: number): void {',
        '-    this.expiresAt = Date.now() + ttlMs;',
        '-    this.renewedAt = Date.now();',
        '+    const now = this.clock.now();',
        '+    this.expiresAt = now + ttlMs;',
        '+    this.renewedAt = now;',
        ...unchanged(1, 16),
        "-    log.debug('renewed', { at: this.renewedAt });",
        "+    log.debug('renewed', { at: this.renewedAt, ttlMs });",
        '   }',
      ],
    },
    {
      oldStart: 120,
      newStart: 121,
      lines: ['   isExpired(): boolean {', '     return this.clock.now() > this.expiresAt;', '   }'],
    },
  ],
};

const coloured = [
  `${esc}[1mRUN${esc}[0m  ${esc}[36mv4.1.0${esc}[0m ${esc}[2m/home/ada/code/kiln${esc}[0m`,
  '',
  ` ${esc}[32m✓${esc}[39m lease.test.ts ${esc}[2m(14 tests)${esc}[22m ${esc}[33m206${esc}[2mms${esc}[0m`,
  ` ${esc}[32m✓${esc}[39m heartbeat.test.ts ${esc}[2m(6 tests)${esc}[22m 41${esc}[2mms${esc}[0m`,
  ` ${esc}[31m❯${esc}[39m worker.test.ts ${esc}[2m(9 tests | ${esc}[31m1 failed${esc}[39m)${esc}[0m`,
  `   ${esc}[41m${esc}[1m FAIL ${esc}[0m ${esc}[38;2;255;120;60mrenews before it expires${esc}[0m`,
  `   ${esc}[7m - Expected ${esc}[27m ${esc}[4m30000${esc}[24m ${esc}[38;5;201mReceived 29998${esc}[0m`,
  `${esc}[42m PASS ${esc}[0m ${esc}[43m SLOW ${esc}[0m ${esc}[44m INFO ${esc}[0m ${esc}[9mold${esc}[0m`,
  `building  10%\rbuilding  60%\rbuilding 100%`,
].join('\n');

/** Every kind of card, open. */
export function cardsSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('Show me every card that you have.');
  story.call('search', String.raw`Date\.now\(\)`, { display: searchDisplay, runMs: 180 });
  story.call('read_file', 'src/queue/lease.ts', {
    runMs: 40,
    display: {
      kind: 'file',
      path: 'src/queue/lease.ts',
      firstLine: 44,
      lastLine: 52,
      totalLines: 214,
      text: [
        '  /** Extends the lease from now on. */',
        '  renew(ttlMs: number): void {',
        '    this.expiresAt = Date.now() + ttlMs;',
        "    this.log.debug(`renewed ${this.id} for ${ttlMs} ms`, { worker: 'kiln-001' });",
        '  }',
      ].join('\n'),
    },
  });
  story.call('edit_file', 'src/queue/lease.ts', { display: longDiff, runMs: 30 });
  story.call('run_command', 'npx vitest run src/queue', {
    state: 'failed',
    output: coloured,
    result: 'Error: exit code: 1',
    sandboxed: false,
    display: {
      kind: 'command',
      command: 'npx vitest run src/queue',
      exitCode: 1,
      signal: null,
      changes: {
        files: [
          { path: 'src/queue/__snapshots__/lease.test.ts.snap', added: 14, removed: 3, what: 'changed' },
          { path: 'coverage/lcov.info', added: 0, removed: 0, what: 'new' },
          { path: 'scripts/run.sh', added: 0, removed: 0, what: 'mode' },
        ],
        total: 3,
        uncovered: [{ path: 'node_modules', changed: 12 }],
      },
    },
    runMs: 4_120,
  });
  story.call('fetch_url', 'https://nodejs.org/api/timers.html', {
    args: { url: 'https://nodejs.org/api/timers.html', maxCharacters: 8000 },
    result:
      'Timers | Node.js Documentation\n\nThe timer module exposes a global API for scheduling functions to be called at some future period of time.',
    runMs: 610,
  });
  story.call('query_issue', '', {
    args: { repository: 'kiln', number: 482, fields: ['title', 'labels'] },
    result: '{"title":"Leases expire early","labels":["bug","queue"],"open":true}',
    runMs: 95,
  });
  story.usage({});
  return story.snapshot(openSession);
}

/** Put together here, so that no scanner takes them for real ones. */
const token = (prefix: string): string => prefix + 'a1B2c3D4e5F6'.repeat(3);

/** Keys in a file, in a change and in what a command printed. */
export function keysSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('Why does the deploy script not find its token?');
  story.call('read_file', '.env', {
    runMs: 12,
    display: {
      kind: 'file',
      path: '.env',
      firstLine: 1,
      lastLine: 4,
      totalLines: 4,
      text: `HOST=kiln.example\nDEPLOY_TOKEN=${token('ghp_')}\nDATABASE_URL=postgres://kiln:hunter2@db/kiln\nDEBUG=1\n`,
    },
  });
  story.call('edit_file', 'deploy.json', {
    runMs: 20,
    display: {
      kind: 'diff',
      path: 'deploy.json',
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [' {', '-  "token": "",', `+  "access_token": "${token('')}",`, '   "region": "eu"', ' }'],
        },
      ],
      added: 1,
      removed: 1,
    },
  });
  story.call('run_command', './deploy.sh --dry-run', {
    output: `using token ${token('ghp_')}\nwould deploy 12 files\n`,
    display: { kind: 'command', command: './deploy.sh --dry-run', exitCode: 0, signal: null },
    runMs: 310,
  });
  story.usage({});
  return story.snapshot(openSession);
}

const everyMarkdown = String.raw`# What was wrong

Two clocks: \`renew()\` reads the real one, \`isExpired()\` the injected one.

| Model | VRAM | Reads | Fits |
|:------|-----:|------:|:----:|
| qwen3.8:27b | 19.9 GB | 820 | yes |
| gemma4:26b-a4b | 18.0 GB | 1,910 | yes |
| a-model-with-a-very-long-name-that-needs-its-own-line:120b-instruct-q4_K_M | 64.2 GB | 140 | no |

1. First the clock
   - take the injected one
     - in \`renew\`
     - in the heartbeat
   - leave the log alone
2. Then the proof

- [x] 200 runs
- [ ] the same in \`worker.ts\`

> A lease is valid until its clock says otherwise.
>
> > And not before.

The error stays below $\sum_{i=1}^{n} \frac{1}{i^2} < \frac{\pi^2}{6}$, see the note[^1] and ![the chart](https://example.com/charts/lease-expiry.png).

[^1]: Measured on an idle machine.

\`\`\`ts
const lease = new Lease(clock, 30_000);
lease.renew(); // ${'a comment that goes on far beyond the edge of the column and must not push anything else aside '.repeat(2)}
\`\`\``;

export function markdownSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('What was wrong? Use everything that markdown has.');
  story.say({ kind: 'text', text: everyMarkdown.replaceAll('\\`', '`') });
  story.usage({});
  return story.snapshot(openSession);
}

const tools = ['read_file', 'read_file', 'search', 'read_file', 'list_files', 'read_file', 'edit_file'];

/** 300 calls in one turn. */
export function manyCallsSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('Go through all files and list those that read the clock.');
  for (let call = 0; call < 300; call++) {
    const failed = call % 97 === 11;
    story.call(
      tools[call % tools.length] ?? 'read_file',
      `src/module-${String(call % 41).padStart(2, '0')}/index.ts`,
      {
        state: failed ? 'failed' : 'done',
        result: failed ? 'Error: there is no such file.' : '',
        runMs: 20 + ((call * 7) % 90),
      },
    );
  }
  story.say({ kind: 'text', text: '41 modules, 300 calls: the clock is read in two of them.' });
  story.usage({});
  return story.snapshot(openSession);
}

const longLine = `{"level":"info","worker":"kiln-001","message":"${'renewed lease 8813 for 30000 ms after heartbeat 12 '.repeat(196)}"}`;

/** Right to left, a line of ten thousand characters, words without an end. */
export function extremesSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  story.turn('למה הבדיקה lease.test.ts נכשלת בערך פעם בעשרים? תמצא את הסיבה ותתקן.');
  story.call('run_command', 'tail -1 kiln.log', {
    output: `${longLine}\n`,
    sandboxed: false,
    display: { kind: 'command', command: 'tail -1 kiln.log', exitCode: 0, signal: null },
    runMs: 12,
  });
  story.call('read_file', `src/${'a-folder-with-a-long-name/'.repeat(8)}lease.ts`, { runMs: 30 });
  story.say({
    kind: 'text',
    text: `יש שני שעונים: \`renew()\` קורא את השעון האמיתי ו־\`isExpired()\` את המוזרק.\n\n- קודם השעון\n- אחר כך ההוכחה\n\n\`lease.ts\` תוקן, והבדיקה עברה 200 פעם.\n\nThe log of the last run:\n\n${'a-file-name-without-any-space-'.repeat(9)}log.txt\n\n\`\`\`json\n${longLine}\n\`\`\``,
  });
  story.usage({ cachedTokens: null, evaluatedTokens: null });
  return story.snapshot(openSession);
}
