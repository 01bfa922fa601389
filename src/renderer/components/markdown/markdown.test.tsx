import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { OpenLinkContext, safeHref } from '../link.tsx';
import { Markdown } from './markdown.tsx';

function html(text: string): string {
  return render(<Markdown text={text} complete />).container.innerHTML;
}

describe('model text', () => {
  it('shows raw HTML as text and makes no element of it', () => {
    const { container } = render(
      <Markdown
        text={
          '<script>alert(1)</script>\n\nA <img src=x onerror=alert(1)> <b>c</b>\n\n<iframe src="//x"></iframe>'
        }
        complete
      />,
    );
    expect(container.querySelector('script, img, iframe, b')).toBeNull();
    expect(container.textContent).toContain('<script>alert(1)</script>');
    expect(container.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  it('has the direction of its own first word in each of its blocks, where code is no word', () => {
    const { container } = render(
      <Markdown
        text={'English.\n\n`lease.ts` תוקן.\n\n- قبل\n\n- بعد\n\n> ref\n\n## הוכחה\n\n| א |\n| - |\n| ב |'}
        complete
      />,
    );
    const asked = [...container.querySelectorAll('[dir]')].map(
      (each) => `${each.localName} ${String(each.getAttribute('dir'))}`,
    );
    expect(asked).toEqual([
      'p auto',
      'p auto',
      'code ltr',
      'ul auto',
      'blockquote auto',
      'h2 auto',
      'table auto',
    ]);
  });

  it('loads no image: its text is a link that the person may open, its address stands beside it', () => {
    const { container } = render(<Markdown text="![a chart](https://tracker.example/x.png)" complete />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('a')?.getAttribute('href')).toBe('https://tracker.example/x.png');
    expect(container.textContent).toBe('image: a chart (https://tracker.example/x.png)');
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'andiron://x',
    '//evil.example',
    '/relative',
    'http:evil',
    'https://a b',
    'https://a\u0000b',
    '',
  ])('makes no link of %j', (href) => {
    expect(safeHref(href)).toBeNull();
    expect(html(`[text](<${href}>)`)).not.toContain('href');
  });

  it('opens http and https outside, without telling where from', () => {
    const { container } = render(<Markdown text="[docs](https://example.com/a?b=c#d)" complete />);
    const link = container.querySelector('a');
    expect(link?.getAttribute('href')).toBe('https://example.com/a?b=c#d');
    expect(link?.getAttribute('rel')).toContain('noopener');
    expect(link?.getAttribute('rel')).toContain('noreferrer');
    expect(link?.getAttribute('title')).toBe('https://example.com/a?b=c#d');
  });

  it('hands links to the desktop where there is one', async () => {
    const open = vi.fn<(url: string) => void>();
    const { getByRole } = render(
      <OpenLinkContext value={open}>
        <Markdown text="[docs](https://example.com/)" complete />
      </OpenLinkContext>,
    );
    await userEvent.click(getByRole('link', { name: 'docs' }));
    expect(open).toHaveBeenCalledExactlyOnceWith('https://example.com/');
  });

  it('renders what models write', () => {
    const { container } = render(
      <Markdown
        text={
          '# One\n\n## Two\n\n- [x] done\n- [ ] open\n\n2. two\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\n> quote\n\na &amp; b &#65; ~~old~~\n\n```ts\nconst a = 1;\n```'
        }
        complete
      />,
    );
    expect(container.querySelectorAll('h2')).toHaveLength(2);
    expect(container.querySelector('ol')?.getAttribute('start')).toBe('2');
    expect(container.querySelectorAll('li.task')).toHaveLength(2);
    expect(container.querySelector('td.r')?.textContent).toBe('2');
    expect(container.querySelector('del')?.textContent).toBe('old');
    expect(container.textContent).toContain('a & b A');
    expect(container.querySelector('.code')?.textContent).toBe('const a = 1;');
  });

  it('keeps the lines of a list that nests too deep to be drawn as one', () => {
    const lines = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`);
    const { container } = render(<Markdown text={lines.join('\n')} complete />);
    expect(container.querySelectorAll('li')).toHaveLength(0);
    expect(container.querySelectorAll('br')).toHaveLength(59);
  });

  it('renders a settled block once while text arrives', () => {
    const first = 'The first block.\n\nThe second block.\n\nThe third block.\n\n';
    const { container, rerender } = render(<Markdown text={`${first}And`} complete={false} />);
    const [before] = container.querySelectorAll('p');
    rerender(<Markdown text={`${first}And **more`} complete={false} />);
    const paragraphs = container.querySelectorAll('p');
    expect(paragraphs[0]).toBe(before);
    expect(paragraphs[3]?.innerHTML).toBe('And <strong>more</strong>');
  });
});
