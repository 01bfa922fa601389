import type { waysPane as english } from '../en/ways-words.ts';
import type { InAnyWords } from '../in-any-words.ts';

/** How others reach this Andiron, in the settings. */
export const waysPane: InAnyWords<typeof english> = {
  rows: {
    gateway: {
      label: 'Gateway',
      help: 'Programme sprechen mit dem Agenten wie mit OpenAI.',
    },
    webhook: {
      label: 'Webhook',
      help: 'Programme auf diesem Computer senden signierte Nachrichten über HTTP.',
    },
    telegram: {
      label: 'Telegram',
      help: 'Ein Bot beantwortet Direktnachrichten und Gruppen, die ihn nennen. Wer schreibt, wird Gast unter „Personen“.',
    },
    programs: {
      label: 'Programme',
      help: 'Jedes Programm braucht ein eigenes Token für das Gateway.',
    },
  },
  gateway: {
    guide: 'So nutzen es Programme',
    on: 'Programme bedienen',
    onHelp: 'Programme brauchen ein Token.',
  },
  webhook: {
    guide: 'So werden Nachrichten signiert',
    on: 'Nachrichten annehmen',
    onHelp: 'Nur dieser Computer kann ihn erreichen.',
    secretFirst: 'Leg zuerst das Geheimnis fest.',
    secret: 'Geheimnis',
    secretField: 'Geheimnis des Webhooks',
    secretHelp: 'Programme signieren damit ihre Nachrichten.',
  },
  telegram: {
    guide: 'So legst du einen Bot an',
    on: 'Nachrichten annehmen',
    onHelp: 'Andiron holt Nachrichten bei Telegram ab. Es öffnet keinen Port.',
    secretFirst: 'Leg zuerst das Token fest.',
    secret: 'Token',
    secretField: 'Token des Bots',
    secretHelp: 'Du bekommst es von @BotFather.',
  },
  secretSet: 'Gespeichert. Andiron zeigt es nie wieder an.',
  setSecret: (what) => `${what} festlegen`,
  changeSecret: (what) => `${what} ändern`,
  removeSecret: (what) => `${what} entfernen`,
  port: 'Port',
  portHelp: 'Hierhin senden Programme ihre Nachrichten.',
  network: 'Im lokalen Netzwerk anbieten',
  networkHelp:
    'Jedes Gerät in deinem Netzwerk kann eine Verbindung versuchen. TLS verschlüsselt sie, ein Token lässt das Gerät hinein.',
  noAddress: 'Dieser Computer hat keine private Adresse, die andere Geräte erreichen.',
  certificate: 'Programme auf anderen Geräten müssen diesem Zertifikat vertrauen:',
  tryIt: 'Mit einem Token ausprobieren:',
  wrongPort: 'Gib eine Zahl von 1 bis 65535 ein.',
  answerUrl: 'Antworten senden an',
  answerUrlHelp: 'Ohne Eintrag bekommen nur Programme eine Antwort, die darauf warten.',
  wrongUrl: 'Gib eine Adresse ein, die mit http:// oder https:// beginnt.',
  starting: 'Startet',
  listening: 'Erreichbar unter',
  asking: 'Wird geladen …',
  failed: 'Die Zugänge konnten nicht gelesen werden.',
  tokens: {
    none: 'Kein Programm hat ein Token.',
    unused: 'Nie benutzt',
    lastUsed: (day) => `Zuletzt am ${day} benutzt`,
    revoke: 'Widerrufen',
    revokeLabel: (name) => `Token von ${name} widerrufen`,
    name: 'Neues Programm',
    level: 'Stufe',
    create: 'Token erzeugen',
    shownOnce: 'Kopier dieses Token jetzt. Andiron zeigt es nie wieder an:',
    copy: 'Kopieren',
  },
};
