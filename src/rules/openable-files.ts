/**
 * The kinds of file that "Open" hands to the system. A model may have written the file, so the list names what programs
 * only show: everything else (programs, scripts, pages, documents that can hold macros or queries) is shown in its folder.
 */
const openableKinds: ReadonlySet<string> = new Set(
  [
    'txt text md markdown log',
    // Data and settings as text. Not csv or xml: an office program opens them, and runs formulas and stylesheets.
    'json jsonl json5 yaml yml toml lock',
    // Source code that no system runs by itself.
    'c cc cpp cs css go h hpp java kt less mjs mts rs scss sql swift ts tsx vue',
    'png jpg jpeg gif webp bmp avif heic ico tif tiff',
    'pdf',
    'mp3 wav flac ogg opus m4a aac mp4 m4v webm mov mkv avi',
  ].flatMap((kinds) => kinds.split(' ')),
);

/**
 * May the system open a file of this name? Only the name is judged: whoever opens it also looks at its mode. Windows ends
 * a name before trailing dots and blanks and behind a colon, so such a name is of no kind.
 */
export function isOpenable(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const kind = /^[^:]+\.([a-z0-9]+)$/i.exec(name)?.[1];
  return kind !== undefined && openableKinds.has(kind.toLowerCase());
}
