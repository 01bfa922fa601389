/**
 * Messages that a model is asked to open at its first meeting: whoever always begins in the same way is wrong in most of
 * them, and so is half of the time one that runs whatever can be run. Their words and files are none of the worked examples,
 * and what they speak of exists in words only.
 */
import type { Act } from '../loop/opening/turn-acts.ts';

interface MeetingOpening {
  text: string;
  /** With which a right opening begins. */
  act: Act;
}

export const meetingOpenings: readonly MeetingOpening[] = [
  { text: 'Which command shows the free space of a disk? I only want to know it.', act: 'answer' },
  { text: 'Which port does server/settings.ini name?', act: 'look' },
  { text: 'Create a script tick.py that prints the word tock.', act: 'change' },
  { text: 'Ejecuta medir.sh con bash. ¿Qué muestra?', act: 'run' },
  { text: 'Translate "good night" into Italian.', act: 'answer' },
  { text: '「会議/議題.md」には議題がいくつありますか。', act: 'look' },
  { text: 'how do i rename a folder with mv, just tell me', act: 'answer' },
  { text: 'Lege eine neue Datei gruss.txt an, in der nur „Guten Morgen“ steht.', act: 'change' },
];
