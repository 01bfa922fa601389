/** The first task: what it is before it runs, and one line at a time while it does. */
export const firstTask = {
  label: 'First task',
  /** Sent as it stands; the sample folder is a small ledger of books. */
  message:
    'Write a report about this folder into REPORT.md: what it is for, how its code is built, and what its tests check.',
  run: 'Run the sample task',
  what: 'Write a report about a small sample project: planned in steps, each ticked when it is proved.',
  how: 'On a copy in Andiron’s own folder. One change asks you first; press Stop whenever you like.',
  own: 'Pick your own folder',
  hints: {
    begins: 'A real turn on a copy of the sample folder. A plan comes first, if the model sees one.',
    works: 'Steps tick when their evidence is there. Nothing is changed without asking you.',
    asks: 'It asks first. Read what it would do, then allow or decline it.',
    stop: 'Press Stop now, or Escape, and watch the model stay warm.',
    stopped: 'Stopped. The line above proves it: the model is still loaded, and what was read is kept.',
    finished: 'Done. Each ticked step has its evidence in the plan.',
    failed: 'It ended early. The lines above say why, and what to do next.',
  },
  tryStop: 'Try Stop on a long answer',
  /** Long enough to press Stop in peace. */
  longMessage: 'Give me a long answer: how does a local model read a prompt and write its reply?',
  hide: 'Hide the hints',
} as const;
