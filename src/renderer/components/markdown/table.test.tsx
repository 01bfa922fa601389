import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';

const table =
  '| A | *B* | C |\n|---|--:|---|\n| **x** | [y](https://a.example) | `z` |\n| =1+1 | $q$ | a "b" |';

describe('the copy of a table', () => {
  it('parts cells by tabs, has words without their marks, and runs nothing as a formula', async () => {
    const user = userEvent.setup();
    render(<Markdown text={table} complete />);
    await user.click(screen.getByRole('button', { name: 'Copy table' }));
    expect(await navigator.clipboard.readText()).toBe('A\tB\tC\r\nx\ty\tz\r\n\'=1+1\t$q$\t"a ""b"""\r\n');
  });

  it('as Markdown is what was written', async () => {
    const user = userEvent.setup();
    render(<Markdown text={`Before\n\n${table}\n\nAfter`} complete />);
    await user.click(screen.getByRole('button', { name: 'Copy as Markdown' }));
    expect(await navigator.clipboard.readText()).toBe(table);
  });

  it('is reached and pressed by the keyboard', async () => {
    const user = userEvent.setup();
    render(<Markdown text={table} complete />);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy table' }));
    await user.keyboard('{Enter}');
    expect(await navigator.clipboard.readText()).toContain('A\tB\tC');
  });

  it('has all rows of a table that is drawn in pieces', async () => {
    const user = userEvent.setup();
    const rows = Array.from({ length: 400 }, (_, row) => `| ${row} | b | c |`).join('\n');
    render(<Markdown text={`| A | B | C |\n|---|---|---|\n${rows}`} complete />);
    expect(screen.getAllByRole('table').length).toBeGreaterThan(1);
    await user.click(screen.getByRole('button', { name: 'Copy table' }));
    expect((await navigator.clipboard.readText()).split('\r\n')).toHaveLength(402);
  });

  it('waits for the table', () => {
    render(<Markdown text={table} complete={false} />);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Copy table' }).disabled).toBe(true);
  });
});
