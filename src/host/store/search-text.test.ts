import { expect, test } from 'vitest';
import { snippetOf, withoutSigns } from './search-text.ts';

test.each([
  ['The **backoff** doubles', 'doubles', 'The backoff doubles'],
  ['## Retry\n\n- the `backoff` doubles\n> twice', 'doubles', 'Retry the backoff doubles twice'],
  ['| try | wait |\n|---|---:|\n| 2 | 40 ms |', 'wait', 'try | wait 2 | 40 ms'],
  ['the power 2**10 is 1024', 'power', 'the power 2**10 is 1024'],
  ['it doubles - at least twice', 'doubles', 'it doubles - at least twice'],
  ['# Retry', 'retry', 'Retry'],
  // What is looked for stands as it is written.
  ['run `npm test` now', '`npm', 'run `npm test now'],
  ['call __init__ of a || b', 'call', 'call __init__ of a || b'],
])('Around what is found in %j stand words as a person reads them', (text, wanted, snippet) => {
  expect(snippetOf(text, wanted, withoutSigns)).toBe(snippet);
});

test('Where a sign would be parted by the bounds of a snippet, none of it is left', () => {
  for (let width = 30; width < 50; width += 1) {
    const found = snippetOf(
      `a word **bold ${'x'.repeat(width)} here ${'y'.repeat(width + 75)} bold** end`,
      'here',
      withoutSigns,
    );
    expect(found).not.toContain('*');
  }
});

test('What a person wrote is shown as it is', () => {
  expect(snippetOf('use **bold** here', 'here')).toBe('use **bold** here');
});
