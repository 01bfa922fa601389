import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CodeBlock } from './code-block.tsx';

const diff = '--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,3 @@\n same\n-old\n+new\n+\n-- a comment';

it.each(['diff', 'patch'])(
  'lines of a %s that were added or removed say so by their sign and their tint',
  (language) => {
    const { container } = render(<CodeBlock code={diff} language={language} growing={false} />);
    const lines = (kind: string) =>
      [...container.querySelectorAll(`.${kind}`)].map(({ textContent }) => textContent.trimEnd());
    expect(lines('added')).toEqual(['+new', '+']);
    expect(lines('removed')).toEqual(['-old', '-- a comment']);
    expect(container.querySelector('pre')?.textContent).toBe(diff);
  },
);

it('lines of other code have no tint, whatever they begin with', () => {
  const { container } = render(<CodeBlock code={'- a list\n+ b'} language="yaml" growing={false} />);
  expect(container.querySelectorAll('.added, .removed')).toHaveLength(0);
});
