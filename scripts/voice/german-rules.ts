/** How Andiron speaks German, as rules that a program can hold; its words are those of `docs/languages.md`. */
import type { PersonText } from './person-texts.ts';
import { offences, type Rule } from './rules.ts';

export const isGerman = ({ place }: PersonText): boolean => place.startsWith('src/text/de/');

/** It is English in German words, or the language of an office. */
const translated: readonly Rule[] = [
  [/\bbitte\b/i, 'weglassen'],
  [/\berfolgreich\b/i, 'weglassen'],
  [/\bes ist (?:erforderlich|notwendig|nötig|möglich|empfohlen)\b/i, 'muss, kann'],
  [/\bvielleicht möcht/i, 'Imperativ'],
  [/\b(?:möchtest|wünschst) du\b/i, 'Verb am Ende'],
  [/\bin der Lage\b/i, 'kann'],
  [/\bmacht?(?:en)? Sinn\b/, 'ergibt Sinn'],
  [/\bsicher(?:stellen|gestellt)\b|\b(?:stell\w*|vergewisser\w*) (?:dich )?(?:sicher|dass)\b/i, 'prüf'],
  [/\bdurch(?:führ|zuführ|geführ)\w*/i, 'ausführen, tun'],
  [/\bbefinde(?:t|n) sich\b/i, 'ist, liegt'],
  [/\bhandelt es sich\b/i, 'ist'],
  [/\bbeinhalte/i, 'enthält'],
  [/\b(?:derzeit|momentan|zurzeit)\b/i, 'gerade'],
  [/\b(?:bezüglich|hinsichtlich|in Bezug auf)\b/i, 'zu'],
  [/\bvia\b/i, 'über'],
  [/\bund\/oder\b/i, 'oder'],
  [/\bkonnten? nicht gefunden werden\b/i, 'nicht gefunden'],
  [/\b(?:ups|hoppla)\b/i, 'sagen, was passiert ist'],
  [/\bin (?:19|20)\d\d\b/, 'im Jahr'],
];

/** Andiron says “du”. “Sie” may begin a sentence about things. */
const formal: readonly Rule[] = [
  [/(?<=[\p{L}\d‹›,] )(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)(?!\p{L})/u, 'du'],
  [/^(?:Ihnen|Ihre?[mnrs]?) /, 'du'],
];

/** One thing has one word. */
const oneWord: readonly Rule[] = [
  [/\b(?:Arbeitsbereich|Verzeichnis)/, 'Ordner'],
  [/\bSessions?\b/, 'Sitzung'],
  [/\b(?:Durchgang|Durchgänge)/, 'Runde'],
  [/\bIteration/, 'Schritt'],
  [/\bRequests?\b/, 'Anfrage'],
  [/\bWerkzeug/, 'Tool'],
  [/\bTool-Aufruf/, 'Toolaufruf'],
  [/\bUnteragent|\bSubagents\b/, 'Subagent, Subagenten'],
  [/\bTokens\b/, 'Token'],
  [/\bKontextfenster/, 'Kontext'],
  [/\bHauptspeicher/, 'Arbeitsspeicher'],
  [/\b(?:Passage|Kollektion)/, 'Textstelle, Sammlung'],
  [/\b(?:Freigaben?\b|[Gg]enehmig)/, 'Rückfrage, erlauben'],
  [/\b(?:zulassen|zugelassen|gestatte\w*|verweiger\w*)\b/, 'erlauben, ablehnen'],
  [/\bTime-?out/i, 'Zeitlimit'],
  [/\b(?:auswerfen|ausgeworfen)\b/, 'entladen'],
  [/\b(?:verdicht|komprimier)/i, 'zusammenfassen'],
  [/\bzwischengespeichert/, 'im Cache'],
  [/\b(?:Vorladen|vorgeladen|vorzuladen)\b/, 'vorab lesen'],
  [/\b(?:nochmals|nochmal)\b|\berneut (?:ge)?les/i, 'neu lesen, noch einmal'],
  [/\b(?:Forks?|forken|geforkt|Gabelung)\b/, 'Zweig, verzweigen'],
  [/\b[Rr]egenerier/, 'neu generieren'],
  [/\bFlags?\b/, 'Einstellung'],
  [/\beingebaut/, 'mitgeliefert'],
  [/\bErinnerungen\b/, 'Gedächtnis'],
  [/\bTranskript/, 'Verlauf'],
  [
    /\b(?:GPU|CPU|Token|Modell|Tool|Kontext|Cache|Profil) (?:Warteschlange|Test|Auslastung|Verbrauch|Nutzung|Aufrufe?|Server)\b/,
    'ein Wort',
  ],
];

/** Signs as German sets them: „…“, and a space that holds before three dots. */
const signs: readonly Rule[] = [
  [/[”«»]|“(?=[\p{L}\d‹])|"(?![a-z]+[A-Z]\w*")\p{L}/u, '„…“'],
  [/\p{L}'\p{L}/u, '’'],
  [/\.\.\.|\p{L}…|\p{L} …$/u, 'geschütztes Leerzeichen und …'],
  [/[\p{L}\d] (?:--?|[–—]) \p{L}/u, 'zwei Sätze'],
];

export const translatedGerman = (texts: readonly PersonText[]): string[] => offences(texts, translated);
export const formalGerman = (texts: readonly PersonText[]): string[] => offences(texts, formal);
export const twoGermanWords = (texts: readonly PersonText[]): string[] => offences(texts, oneWord);
export const mixedGermanSigns = (texts: readonly PersonText[]): string[] => offences(texts, signs);

export const germanOffences = (texts: readonly PersonText[]): string[] =>
  [translatedGerman, formalGerman, twoGermanWords, mixedGermanSigns].flatMap((rule) => rule(texts));
