import type { schedulePane as english } from '../en/schedule-words.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { count, plural, seconds } from './figures.ts';

type Reason = Parameters<(typeof english)['runs']['skipped']>[1];

const reasons: Record<Exclude<NonNullable<Reason>, 'error'>, string> = {
  asleep: 'Der Computer war im Ruhezustand',
  closed: 'Andiron war geschlossen',
  clock: 'Die Uhr wurde vorgestellt',
  waited: 'Wartezeit auf die GPU',
  still_running: 'Der letzte Lauf war noch nicht zu Ende',
  gpu_released: 'Andere Programme haben die GPU',
  over_budget: 'Keine Token mehr übrig',
  stopped: 'Von dir gestoppt',
  step_limit: 'Schrittlimit erreicht',
  interrupted: 'Andiron wurde während des Laufs geschlossen',
  withdrawn: 'Die Nachricht wurde zurückgenommen',
};

/** Of a reason and the words of an error. */
const why = (reason: Reason, detail: string): string =>
  reason === null || reason === 'error' ? detail : reasons[reason];

const missedTimes = (times: number): string => {
  if (times === 1) return 'Verpasst';
  return times < 1_000 ? `${count(times)}-mal verpasst` : `Mindestens ${count(times)}-mal verpasst`;
};

/** Tasks for later, in the settings. */
export const schedulePane: InAnyWords<typeof english> = {
  add: 'Neuer Job',
  none: 'Noch keine Jobs',
  noneHelp: 'Ein Job sendet zu einer gewählten Zeit eine Nachricht. Er läuft, solange Andiron geöffnet ist.',
  asking: 'Wird geladen …',
  failed: 'Die Jobs konnten nicht gelesen werden.',
  columns: { job: 'Job', last: 'Letzter Lauf', next: 'Nächster' },
  show: (name) => `Details zu ${name}`,
  open: 'Öffnen',
  answer: 'Antworten',
  runNow: 'Jetzt ausführen',
  edit: 'Bearbeiten',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  remove: 'Entfernen',
  removeTitle: (name) => `„${name}“ entfernen?`,
  removeText: 'Die bisherigen Läufe verschwinden mit. Die Sitzung bleibt erhalten.',
  keep: 'Job behalten',
  removeJob: 'Job entfernen',
  history: 'Bisherige Läufe',
  task: 'Aufgabe',

  when: {
    daily: (time) => `Täglich ${time}`,
    weekdays: (time) => `Mo–Fr ${time}`,
    weekly: (day, time) => `${day} ${time}`,
    hourly: 'Stündlich',
    every: (minutes) => {
      if (minutes % 1_440 === 0)
        return minutes === 1_440 ? 'Jeden Tag' : `Alle ${count(minutes / 1_440)} Tage`;
      if (minutes % 60 === 0) return minutes === 60 ? 'Jede Stunde' : `Alle ${count(minutes / 60)} Stunden`;
      return minutes === 1 ? 'Jede Minute' : `Alle ${count(minutes)} min`;
    },
    once: (day) => `Einmal, ${day}`,
    afterSession: (title) => `Nach „${title}“`,
    goneSession: 'Nach einer Sitzung',
    inZone: (when, timeZone) => `${when} (${timeZone})`,
  },
  next: {
    paused: 'Angehalten',
    none: 'Nie wieder',
    afterSession: 'Danach',
    today: (time) => `Heute ${time}`,
    due: 'Jetzt',
  },
  runs: {
    none: 'Lief noch nie',
    running: 'Läuft',
    queued: 'Wartet auf die GPU',
    asking: 'Wartet auf dich',
    ran: (at, ms) => (ms === null ? `Gelaufen: ${at}` : `Gelaufen: ${at}, in ${seconds(ms)}`),
    late: (ms, reason) => `${ms === null ? 'Zu spät' : `${lateness(ms)} zu spät`}: ${why(reason, '')}`,
    missed: (times, reason) => `${missedTimes(times)}: ${why(reason, '')}`,
    skipped: (at, reason) => `Ausgelassen (${at}): ${why(reason, '')}`,
    failed: (reason, detail) => `Fehlgeschlagen: ${why(reason, detail)}`,
  },
  ended: {
    ran: (name) => `„${name}“ ist gelaufen.`,
    late: (name) => `„${name}“ lief zu spät.`,
    missed: (name) => `„${name}“ wurde verpasst.`,
    skipped: (name) => `„${name}“ wurde ausgelassen.`,
    failed: (name) => `„${name}“ ist fehlgeschlagen.`,
    why: (reason, detail) => {
      const words = why(reason, detail);
      return words === ''
        ? ''
        : `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
    },
  },

  form: {
    newTitle: 'Neuer Job',
    editTitle: 'Job bearbeiten',
    name: 'Name',
    noName: 'Gib dem Job einen Namen.',
    task: 'Aufgabe',
    taskHelp: 'Wird jedes Mal als Nachricht gesendet. Kein Lauf kennt, was der vorige gesagt hat.',
    noTask: 'Schreib, was zu tun ist.',
    when: 'Wann',
    kinds: {
      daily: 'Täglich',
      weekdays: 'Montag bis Freitag',
      interval: 'Alle … Minuten',
      once: 'Einmal',
      cron: 'Cron-Ausdruck',
      after_session: 'Nach einer Sitzung',
    },
    time: 'Uhrzeit',
    day: 'Tag und Uhrzeit',
    minutes: 'Minuten',
    wrongMinutes: 'Gib ganze Minuten ein, mindestens 1.',
    cron: 'Cron-Ausdruck',
    cronHelp: 'Minute, Stunde, Tag des Monats, Monat, Wochentag.',
    zone: (timeZone) => `In der Zeitzone ${timeZone}.`,
    session: 'Sitzung',
    noSession: 'Gerade arbeitet keine Sitzung.',
    noTime: 'Wähle eine Uhrzeit.',
    profile: 'Profil',
    folder: 'Ordner',
    folderHelp: 'Ohne Eintrag bekommt der Job einen eigenen Ordner.',
    missed: 'Nach einem verpassten Lauf',
    missedHelp: 'Wenn der Computer im Ruhezustand oder Andiron geschlossen war.',
    runOnce: 'Danach einmal nachholen',
    skip: 'Auslassen',
    save: 'Job speichern',
    cancel: 'Abbrechen',
  },
};

function lateness(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${count(Math.max(1, minutes))} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${count(hours)} h` : plural(Math.round(hours / 24), 'Tag', 'Tage');
}
