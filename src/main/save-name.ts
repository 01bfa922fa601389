/** The name that the save dialog offers for a file of the page. The page chooses it, so nothing in it is trusted. */

const maxNameLength = 120;
const maxExtensionLength = 12;
/** Separators, what no Windows name may hold, control characters, and those that reorder or hide text. */
const unsafe = /[/\\<>:"|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\s*(?:\.|$))/iu;

/** Never empty, never a path, never hidden, and a name that every system takes. */
export function safeSaveName(suggested: string): string {
  const last = suggested.toWellFormed().split(/[/\\]/u).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replaceAll(unsafe, '')
    .replace(/^[.\s]+/u, '')
    .replace(/[.\s]+$/u, '');
  const name = shortened(plain) || 'andiron';
  return windowsDevice.test(name) ? `_${name}` : name;
}

/** The end of a name says what it is, so it stays. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= maxNameLength) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= maxExtensionLength ? name.slice(dot) : '';
  return (
    characters
      .slice(0, maxNameLength - extension.length)
      .join('')
      .trimEnd() + extension
  );
}
