import { clock } from './figures.ts';

/** The 60-second tour: a recording, played while a download runs or whenever somebody wants it. */
export const tour = {
  label: 'Tour',
  title: 'How a task goes, in 60 seconds',
  mark: 'Replay',
  markHelp: 'Recorded on the simulated engine',
  play: 'Play the tour',
  goOn: 'Go on with the tour',
  pause: 'Pause the tour',
  next: 'Next step',
  again: 'Play again',
  skip: 'Skip the tour',
  close: 'Close the tour',
  time: (at: number, of: number): string => `${clock(at)} of ${clock(of)}`,
  place: (index: number, count: number): string => `${index} of ${count}`,
  chapters: {
    asks: 'You say what you want. The model reads the prompt first, and you see how far it is.',
    plans: 'A larger task gets a plan: steps, who does them, and how each is checked.',
    ticks: 'Steps tick one by one, each with its evidence: a file that was read, an exit code, a text found.',
    approves: 'Before a file is changed you are asked, with the change itself in view.',
    done: 'The report exists, so its step is proved. The receipt says what was read and how fast.',
    stops: 'Stop ends anything in a moment. The proof: the model stays in VRAM, and what was read is kept.',
  },
} as const;
