/**
 * What is written once a suggestion is pressed: it takes the place of another suggestion and is put below the person's
 * own words, which are kept nowhere else.
 */
export function withSuggestion(written: string, suggestion: string, offered: readonly string[]): string {
  const before = offered.find((each) => written === each || written.endsWith(`\n\n${each}`)) ?? '';
  const own = written.slice(0, written.length - before.length).trimEnd();
  return own === '' ? suggestion : `${own}\n\n${suggestion}`;
}
