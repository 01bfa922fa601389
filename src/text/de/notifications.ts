import type { notifications as english } from '../en/notifications.ts';
import type { InAnyWords } from '../in-any-words.ts';

/** Notifications of the desktop: what they say, and their settings. */
export const notifications: InAnyWords<typeof english> = {
  notes: {
    asking: 'Andiron braucht deine Antwort.',
    ended: 'Andiron ist fertig.',
    failed: 'Die Runde ist fehlgeschlagen. Öffne sie, um den Grund zu sehen.',
  },
  offer: {
    message: (title) => `Neues in „${title}“`,
    advice: 'Benachrichtigungen sagen dir, wenn eine Sitzung dich braucht oder fertig ist.',
    accept: 'Benachrichtigungen einschalten',
  },
  rows: {
    notifications: {
      label: 'Benachrichtigungen auf dem Desktop',
      help: 'Für Sitzungen, die gerade nicht zu sehen sind. Ein Klick öffnet die Sitzung.',
    },
    asking: { label: 'Fragen', help: 'Eine Sitzung braucht deine Antwort, bevor es weitergeht.' },
    ended: { label: 'Fertig', help: 'Eine Sitzung hat geantwortet.' },
    failed: { label: 'Fehlgeschlagen', help: 'Eine Runde endete mit einem Fehler.' },
    quietHours: {
      label: 'Ruhezeit',
      help: 'In dieser Zeit gibt es keine Benachrichtigungen. Die Liste markiert Neues weiterhin.',
    },
  },
  kinds: 'Benachrichtigen bei',
  kindsHelp: 'Sitzungen anderer Personen melden sich nur, wenn sie fragen.',
  ends: {
    from: { word: 'von', label: 'Beginn der Ruhezeit' },
    to: { word: 'bis', label: 'Ende der Ruhezeit' },
  },
  noTime: 'Gib eine Uhrzeit wie 22:00 ein.',
  unavailable: {
    denied:
      'Dein Browser blockiert sie. Erlaube Benachrichtigungen in den Website-Einstellungen dieser Seite.',
    absent: 'Dieser Browser unterstützt keine Benachrichtigungen.',
  },
};
