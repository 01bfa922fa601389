/**
 * Five messages that a model is asked to open at its first meeting: whoever always begins in the same way is wrong in most
 * of them. Their words and files are none of the worked examples, and what they speak of exists in words only.
 */
import type { Act } from '../loop/opening/turn-acts.ts';

interface MeetingOpening {
  text: string;
  /** With which a right opening begins. */
  act: Act;
}

export const meetingOpenings: readonly MeetingOpening[] = [
  { text: 'How many legs does a spider have?', act: 'answer' },
  { text: 'Which port does server/settings.ini name?', act: 'look' },
  { text: 'Lege eine neue Datei gruss.txt an, in der nur „Guten Morgen“ steht.', act: 'change' },
  { text: 'Ejecuta medir.sh con bash. ¿Qué muestra?', act: 'run' },
  { text: '「会議/議題.md」には議題がいくつありますか。', act: 'look' },
];
