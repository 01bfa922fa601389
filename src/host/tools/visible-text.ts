/** What a person is asked about is shown to the last character: nothing that hides or turns round what stands beside it. */

/**
 * Control characters, bidirectional overrides and marks, zero-width spaces, tags, line separators and halves of
 * characters. The joiners inside emoji and some scripts stay: they hide nothing.
 */
const hidden =
  /[^\P{Cc}\n\t]|[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]|\p{Cs}/gu;

export function visibleText(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\u{${code}}`;
  });
}

/** The same for one name in a list: line breaks and tabs would make two entries of it. */
export function visibleName(name: string): string {
  return visibleText(name)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}
