/** The first task: what it is before it runs, and one line at a time while it does. */
export const firstTask = {
  label: 'First task',
  /** Sent as it stands; the sample folder is a small ledger of books. */
  message:
    'Write a report about this folder into REPORT.md: what it is for, how its code is built, and what its tests check.',
  run: 'Run the sample task',
  what: 'Andiron writes a report about a small sample project.',
  how: 'It works on a copy and asks before it changes a file.',
  own: 'Pick your own folder',
  hints: {
    begins: 'Andiron works on a copy of the sample folder.',
    works: 'A step is ticked when its evidence is there.',
    asks: 'Read what it would do, then allow or decline it.',
    stop: 'Press Stop or Escape now. The model stays loaded.',
    stopped: 'The line above shows that the model is still loaded.',
    finished: 'Each ticked step shows its evidence in the plan.',
    failed: 'The task ended early. The lines above say why.',
  },
  tryStop: 'Try Stop on a long answer',
  /** Long enough to press Stop in peace. */
  longMessage: 'Give me a long answer: how does a local model read a prompt and write its reply?',
  hide: 'Hide the hints',
} as const;
