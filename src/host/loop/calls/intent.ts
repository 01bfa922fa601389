/**
 * What a message asks to be done, as far as its verbs tell: bounds for the calls of a small model, never a reason to do
 * something by itself. Words of four languages; where none is known the model decides.
 */
export interface Intent {
  /** A program is to be run. */
  runs: boolean;
  /** Something new is to be written. */
  writes: boolean;
  /** It is needed: in a file, where one is named that does not exist. */
  needs: boolean;
  /** Something that is there is to be changed or removed. */
  changes: boolean;
  /** A whole file or folder is to be removed or moved: no tool does it but a command. */
  removes: boolean;
  /** It wants to know something. */
  asks: boolean;
  /** It asks what lies in a folder, or which files there are. */
  lists: boolean;
}

const words = (list: string): string => `(?<![\\p{L}\\p{N}_-])(?:${list})(?![\\p{L}\\p{N}_-])`;
/** What somebody did is told, not asked for: I put it there. */
const orders = (...lists: string[]): RegExp =>
  new RegExp(`(?<!\\b(?:i|we|he|she|it|they)\\s+)${words(lists.join('|'))}`, 'iu');
const oneOf = (...lists: string[]): RegExp => new RegExp(words(lists.join('|')), 'iu');

const running = new RegExp(
  `(?<!\\b(?:is|are|was|were|be|been|when|dry|test|first|last|long)\\s+)${words('run|execute|launch|exec|ausführen|starte|exécute[rz]?|lance[rz]?|ejecuta[r]?')}`,
  'iu',
);
/** Names of programs that are no words. */
const programs = oneOf('wc|grep|sed|awk|uniq|du|df|git|npm|npx|node|python3?|cargo|pytest');
const writing = orders(
  'create|make|making|write|put|save|store|add|append|insert|copy|duplicate|generate|export|record',
  'erstelle?n?|schreibe?n?|speichere?n?|lege?n?|füge?n?|kopiere?n?',
  'crée[rz]?|écri[st]|écrire|ajoute[rz]?|enregistre[rz]?|copie[rz]?',
  'crear?|escrib[ae]|escribir|guardar?|añad[ae]|copiar?',
);
const needing = /(?<!\b(?:not|dont|don't|no)\s+)\bneed (?:it|this|that|them|an?|the)\b/iu;
const changing = orders(
  'change|changing|replace|fix|correct|edit|modify|update|set|turn|switch|add|append|insert|bump|increase|decrease',
  'ändere?n?|ersetze?n?|korrigiere?n?|setze?n?|füge?n?',
  'change[rz]|modifie[rz]?|remplace[rz]?|corrige[rz]?|ajoute[rz]?',
  'cambiar?|modificar?|reemplazar?|corrige|añad[ae]',
);
const removing = orders(
  'delete|remove|erase|rename|move|lösche?n?|entferne?n?|benenne?n?|verschiebe?n?|supprime[rz]?|renomme[rz]?|déplace[rz]?|borrar?|eliminar?|renombrar?|mover',
);
const asking = oneOf(
  'what|whats|which|who|whom|whose|where|when|why|how|tell|say|report|show|find|list|read|look|know|count',
  'was|wer|wem|wo|wann|warum|wie|welche[rsnm]?|sag|zeige?|finde|lies|liste',
  'que|quoi|quel(?:le)?s?|qui|où|quand|pourquoi|combien|dis|montre|trouve|lis',
  'qué|cuál(?:es)?|quién|dónde|cuándo|cuánto[s]?|dime|muestra|busca|lee',
);
const listing = new RegExp(
  `${words('list|listing|folders?|director(?:y|ies)|ordner[ns]?|verzeichnis(?:se)?|dossiers?|carpetas?')}|\\bwhat(?:'?s| is| are)? (?:there )?(?:in|inside|under)\\b|\\b(?:which|what|all|every|how many) (?:the |of the )?files\\b`,
  'iu',
);
/** A question as a whole: what it names is asked about. */
const onlyAsks =
  /^\s*(?:what|whats|which|who|whom|whose|where|when|why|how|is|are|was|were|does|did|has|have)\b[^.!?\n]*\?*\s*$/iu;

/** What runs a file that is a program. */
const interpreters = 'sh|bash|zsh|node|bun|python|python3|ruby|perl|php|pwsh|powershell';
const tools =
  'wc|grep|sed|awk|uniq|du|df|git|npm|npx|cargo|pytest|sort|diff|head|tail|ls|cat|make|go|deno|java';

/** Programs that can be meant: those that the message names, else whatever runs a file. */
export function programsFor(message: string): string[] {
  const known = new Set(`${interpreters}|${tools}`.split('|'));
  const named = [...message.matchAll(/(?<![\w./-])[a-z]\w*(?![\w/-]|\.\w)/gu)].map(([word]) => word);
  const meant = [...new Set(named.filter((word) => known.has(word)))];
  return meant.length > 0 ? meant : interpreters.split('|');
}

export function intentOf(message: string): Intent {
  const does = !onlyAsks.test(message);
  const removes = does && removing.test(message);
  return {
    runs: running.test(message) || programs.test(message),
    writes: does && writing.test(message),
    needs: does && needing.test(message),
    changes: does && (changing.test(message) || removes),
    removes,
    asks: message.includes('?') || asking.test(message),
    lists: listing.test(message),
  };
}

const copying =
  '(?:cop(?:y|ies)|copying|duplicate|kopiere?n?|kopie|copie[rz]?|copiar?)\\s+(?:(?:of|the|file|from|to|der|die|von|datei|le|du|fichier|el|del|archivo)\\s+)*["\'`]?';

/** The file as a whole, as opposed to something that is in it. */
export function copies(message: string, path: string): boolean {
  const name = path.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(copying + name, 'iu').test(message);
}
