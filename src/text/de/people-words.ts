import type { peoplePane as english } from '../en/people-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural } from './figures.ts';

/** The people who write to this Andiron, in the settings. */
export const peoplePane: InAnyWords<typeof english> = {
  rows: {
    you: { label: 'Du', help: '' },
    others: {
      label: 'Andere Personen',
      help: 'Alle haben eigene Sitzungen, ein eigenes Gedächtnis und einen eigenen Ordner. Du siehst alle Sitzungen.',
    },
    budgets: { label: 'Budgets', help: 'Sie gelten ab der nächsten Anfrage.' },
  },
  guestTokens: 'Token für einen neuen Gast',
  guestTokensHelp: 'In 30 Tagen. Ohne Eintrag unbegrenzt. Bisherige Gäste behalten ihr Budget.',
  cacheFree: 'Token aus dem Cache zählen nicht',
  cacheFreeHelp: 'Es zählt nur, was das Modell lesen oder schreiben muss.',
  owner: 'Besitzer',
  you: 'du',
  computer: 'Dieser Computer',
  noLimit: (used) => `${count(used)} Token, unbegrenzt`,
  used: (used, budget) => `${count(used)} von ${count(budget)} Token`,
  resets: (day) => `Neu ab ${day}`,
  none: 'Sonst hat noch niemand geschrieben',
  noneHelp: (budget) =>
    budget === null
      ? 'Wer neu schreibt, wird Gast ohne Tokenlimit. Gäste bekommen keine Dateien und keine Befehle.'
      : `Wer neu schreibt, wird Gast mit ${count(budget)} Token in 30 Tagen. Gäste bekommen keine Dateien und keine Befehle.`,
  levels: { guest: 'Gast', user: 'Nutzer', admin: 'Administrator', owner: 'Besitzer' },
  mayDo: {
    guest: 'Darf fragen und To-do-Liste, Notizen und das eigene Gedächtnis nutzen.',
    user: 'Darf auch Dateien im eigenen Ordner lesen.',
    admin: 'Darf auch Dateien im eigenen Ordner schreiben und sein Gedächtnis ergänzen.',
    owner: '',
  },
  accounts: (accounts) =>
    accounts.map(({ platform, name }) => (name === '' ? platform : `${name} auf ${platform}`)).join(', '),
  noAccount: 'Kein Konto',
  blocked: 'Gesperrt',
  show: (name) => `Einstellungen für ${name}`,
  name: 'Name',
  nameHelp: 'Nur du siehst ihn.',
  level: 'Stufe',
  budget: 'Token in 30 Tagen',
  budgetHelp: 'Ohne Eintrag unbegrenzt.',
  tokens: 'Token',
  wrongBudget: 'Gib eine ganze Zahl ein, zum Beispiel 5000, oder lass das Feld leer.',
  usedTokens: 'Verbrauchte Token',
  reset: 'Zurücksetzen',
  resetHelp: 'Alle Token sind wieder verfügbar, ab jetzt für 30 Tage.',
  access: 'Zugriff',
  block: 'Sperren',
  unblock: 'Entsperren',
  blockHelp: 'Gesperrte Personen bekommen eine Zeile als Antwort. Ihre Sitzungen bleiben erhalten.',
  count: (people) => plural(people, 'Person', 'Personen'),
  asking: 'Wird geladen …',
  failed: 'Die Personen konnten nicht gelesen werden.',
};
