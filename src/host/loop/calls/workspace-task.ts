/**
 * Whether a message speaks of files, folders or commands, so that an answer without looking would be made up (*must*).
 * What tells: a path, a file name by its extension or as one that is known everywhere, a name from the workspace, a
 * command, or the words for them with something that makes them these files rather than files as such. Paths, names and
 * commands tell in any language, the words in those listed. In doubt it does not: then the model may decide.
 */

const maxMessageLength = 20_000;

const extensions =
  'txt|md|mdx|rst|csv|tsv|json|jsonl|json5|ya?ml|toml|ini|cfg|conf|env|xml|html?|css|scss|less|svg|png|jpe?g|gif|webp|pdf|docx?|xlsx?|pptx?|log|lock|sql|db|sqlite|sh|bash|zsh|fish|ps1|bat|cmd|[cm]?[jt]sx?|vue|svelte|py|ipynb|rb|php|java|kt|kts|scala|go|rs|c|h|cc|cpp|hpp|cs|fs|swift|m|mm|lua|pl|r|jl|dart|ex|exs|erl|hs|clj|elm|zig|nim|tf|proto|gradle|zip|tar|gz|tgz|mp3|mp4|wav|tex|bib|diff|patch';
const fileName = new RegExp(
  `(?:^|[\\s"'\`(\\[*/\\\\])[\\w@~.-]{1,100}?\\.(?:${extensions})(?![\\w@]|\\.\\w)`,
  'iu',
);
/** Names that end like a file and are products, addresses and abbreviations. */
const noFile =
  /\b(?:node|next|vue|nuxt|three|d3|express|react|angular|ember|backbone|alpine|chart|p5|moment|require|socket)\.js\b|\b(?:asp|e\.g|i\.e)\.?[a-z]{0,3}\b|https?:\/\/\S+|\b[\w.-]{1,64}@[\w.-]{1,64}\b/giu;
const path =
  /(?:^|[\s"'`(])(?:\.{1,2}[\\/]|~[\\/]|[A-Za-z]:\\|\/(?:home|etc|usr|var|tmp|opt|mnt|Users)\/)[\w.@-]|(?:^|[\s"'`(])[\w@.-]{2,60}\/(?:[\w@.-]{1,60}\/)*(?=$|[\s"'`),.:;?!])|`[\w@.-]{1,60}(?:\/[\w@.*-]{1,60})+`/u;
const knownName =
  /(?:^|[\s"'`(/])(?:readme|license|licence|changelog|makefile|dockerfile|gemfile|procfile|jenkinsfile|codeowners|\.git(?:ignore|attributes)?|\.env|\.npmrc|node_modules|tsconfig|pyproject)(?![\w-])/iu;
const command =
  /(?:^|[\s"'`(])(?:(?:npm|npx|pnpm|yarn|bun|pip3?|uv|poetry|cargo|docker|kubectl|pytest|vitest|jest|eslint|tsc|gradle|mvn|cmake|brew|apt(?:-get)?) +[a-z-]{2,}|git +(?:status|log|diff|add|commit|push|pull|checkout|branch|stash|merge|rebase|init|clone|blame|show)|python3? +[\w./-]+\.py|node +[\w./-]+\.[cm]?js|(?:ls|cat|rm|mkdir|grep|chmod) +[-./~\w])/u;
const quotedCommand =
  /`(?:\$ *)?(?:ls|pwd|make|env|whoami|date|uname|df|du|ps|git|npm|node|python3?|go|cargo)(?: [^`\n]{1,200})?`|(?:^|\n)\$ \S/u;

const things =
  'files?|folders?|director(?:y|ies)|subfolders?|workspace|repo(?:sitory)?|code ?base|source code';
const parts = `${things}|projects?|scripts?|tests?|modules?|functions?|todos?|imports?|dependenc(?:y|ies)`;
const these = 'the|this|these|that|those|my|our|your|all|every|each|any|which|what|whose|some|how many|no|of';
const filler = '(?:(?!(?:is|are|an?)\\s)[\\w\'".*-]+\\s+){0,2}?';
const theseThings = new RegExp(
  `\\b(?:${these})\\s+${filler}(?:${things})\\b|\\b(?:the|this|my|our)\\s+projects?\\b`,
  'iu',
);
const workHere =
  /\b(?:current (?:folder|directory|project)|(?:is|are) installed|on this (?:machine|computer)|working directory|(?:search|look|grep) for (?:the )?(?:word|text|string|phrase|name)|where (?:is|are) [^?\n]{1,60} (?:defined|used|called|declared|imported)|in (?:which|what) (?:function|class|method|module|file)s?)\b/iu;
const toDo =
  /(?:^|[.!?;\n]\s*|\b(?:please|then|and|can you|could you|would you|i want you to|i need you to)\s+)(?:create|make|write|add|save|put|delete|remove|rename|move|copy|list|count|open|read|show|run|execute|search|grep|find|edit|change|replace|fix|refactor|append|update)\b[^.!?\n]{0,80}?/iu;
const doThings = new RegExp(`${toDo.source}\\b(?:${parts})\\b`, 'iu');
/** Asked about files as such. */
const inGeneral =
  /^\s*(?:how (?:do|does|can|would|should) (?:i|you|we|one|people|it)\b|what(?:'s| is| are) (?:an? |the difference|files?\b|folders?\b)|explain (?:what|how|why|the concept)|why (?:do|does|is|are)\b)/iu;

/** Words for file, folder and project; these languages say "a file" and "the file" in too many ways to tell apart. */
const elsewhere = [
  /\b(?:datei(?:en|namen?)?|ordner[ns]?|verzeichnis(?:se)?|unterordner|quelltext)\b/iu,
  /\b(?:fichiers?|dossiers?|r[ée]pertoires?)\b/iu,
  /\b(?:archivos?|ficheros?|carpetas?|directorios?)\b/iu,
  /\b(?:arquivos?|ficheiros?|pastas?|diret[óo]rios?)\b/iu,
  /\b(?:cartell[ae]|bestand(?:en)?|mappen|plik(?:i|u|ów|ach)?|folder(?:u|ze|ów)|soubor(?:y|u|ů)?|dosya(?:lar|yı|da|ları)?|klasör(?:ü|de)?|tiedosto(?:t|n|ja)?|filer(?:na|ne)?|filen|mappe[nr]?)\b/iu,
  /(?:файл|папк|каталог|директори|теке)/iu,
  /(?:文件|目录|目錄|檔案|資料夾|ファイル|フォルダ|ディレクトリ|파일|폴더|디렉터리|디렉토리|فایل|ملف|مجلد|קובץ|תיקי)/u,
];

const extension = new RegExp(`[\\w@-]\\.(?:${extensions})$`, 'iu');
/** A path to something without an extension, as opposed to two words: and/or. */
const pathToName = /^[\w@.-]+(?:\/[\w@.-]+)*\/(?=[\w@.-]*[A-Z\d_.])[\w@.-]*[A-Za-z][\w@.-]*$/u;

/** One word alone: `notes/README.md`, `release/VERSION`. */
export function looksLikeFile(word: string): boolean {
  const kept = word.replaceAll(noFile, '');
  return kept === word && (extension.test(word) || pathToName.test(word));
}

/** The piece that told, for the log; null = nothing did. `names`: what lies in the workspace, at any depth. */
export function workspaceWords(message: string, names: readonly string[]): string | null {
  const text = message.slice(0, maxMessageLength).replaceAll(noFile, ' ');
  const certain = [fileName, path, knownName, command, quotedCommand];
  for (const sign of certain) {
    const found = sign.exec(text)?.[0].trim();
    if (found !== undefined) return found;
  }
  const named = nameFrom(text, names);
  if (named !== null) return named;
  if (inGeneral.test(text)) return null;
  for (const sign of [theseThings, doThings, workHere, ...elsewhere]) {
    const found = sign.exec(text)?.[0].trim();
    if (found !== undefined) return found;
  }
  return null;
}

/** A plain word such as `test` is only a name when it stands in quotes; `my-app` or `Makefile` is one anywhere. */
function nameFrom(text: string, names: readonly string[]): string | null {
  const all = new Set(names.flatMap((name) => [name, name.split(/[\\/]/).at(-1) ?? name]));
  for (const [, quoted] of text.matchAll(/["'`“„«]([^"'`”“»\n]{1,100})["'`”“»]/gu)) {
    if (quoted !== undefined && all.has(quoted)) return quoted;
  }
  for (const [word] of text.matchAll(/[\w@./\\-]+/gu)) {
    const name = word.replace(/[./\\-]+$/, '');
    if (all.has(name) && /[\d._/\\-]|.[A-Z]/.test(name)) return name;
  }
  return null;
}
