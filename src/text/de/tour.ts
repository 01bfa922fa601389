import type { tour as english } from '../en/tour.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { clock } from './figures.ts';

/** The 60-second tour: a recording, played while a download runs or whenever somebody wants it. */
export const tour: InAnyWords<typeof english> = {
  label: 'Tour',
  title: 'Wie eine Aufgabe abläuft, in 60 Sekunden',
  mark: 'Aufzeichnung',
  markHelp: 'Auf der simulierten Engine aufgezeichnet',
  play: 'Tour abspielen',
  goOn: 'Tour fortsetzen',
  pause: 'Tour anhalten',
  next: 'Nächster Schritt',
  again: 'Noch einmal abspielen',
  skip: 'Tour überspringen',
  close: 'Tour schließen',
  time: (at, of) => `${clock(at)} von ${clock(of)}`,
  place: (index, count) => `${index} von ${count}`,
  chapters: {
    asks: 'Du sagst, was du willst. Das Modell liest zuerst den Prompt, und du siehst, wie weit es ist.',
    plans: 'Eine größere Aufgabe bekommt einen Plan: Schritte, wer sie macht und wie jeder geprüft wird.',
    ticks:
      'Schritt für Schritt wird abgehakt, mit Beleg: eine gelesene Datei, ein Exit-Code, ein gefundener Text.',
    approves: 'Bevor sich eine Datei ändert, fragt Andiron dich und zeigt die Änderung.',
    done: 'Der Bericht ist da, also ist sein Schritt belegt. Darunter steht, was gelesen wurde und wie schnell.',
    stops: 'Stopp beendet alles sofort. Das Modell bleibt im VRAM, und Gelesenes bleibt erhalten.',
  },
};
