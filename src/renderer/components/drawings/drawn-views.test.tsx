import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Markdown } from '../markdown/markdown.tsx';
import { drawDiagram } from './draw-diagram.ts';
import { DrawingsContext, type Drawings } from './drawings.ts';
import { typesetMath } from './typeset-math.ts';

/** Draws at once, as the workers would. */
const direct: Drawings = {
  known: () => undefined,
  draw: (drawing) =>
    Promise.resolve(drawing.kind === 'math' ? typesetMath(drawing) : drawDiagram(drawing.source)),
};

function show(text: string, complete = true, drawings: Drawings | null = direct) {
  const view = (shown: string, whole: boolean) => (
    <DrawingsContext value={drawings}>
      <Markdown text={shown} complete={whole} />
    </DrawingsContext>
  );
  const { container, rerender } = render(view(text, complete));
  return { container, more: (shown: string, whole = false) => rerender(view(shown, whole)) };
}

const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``;
const drawnFormula = (container: Element): Promise<Element> =>
  vi.waitFor(() => {
    const math = container.querySelector('math');
    if (!math) throw new Error('Nothing is drawn yet.');
    return math;
  }, 60_000);

describe('a formula', () => {
  it('is drawn, and keeps its source for whoever copies it', async () => {
    const { container } = show('so $a_1$ is');
    const math = await drawnFormula(container);
    expect(math.textContent).toBe('a1');
    expect(container.querySelector('[aria-hidden=true]')?.textContent).toBe('$a_1$');
    expect(container.textContent).toBe('so $a_1$a1 is');
  });

  it('that cannot be read is shown as it was written, and nothing is said', async () => {
    const { container } = show('so $\\frac{1}{$ is, and $x$');
    await drawnFormula(container);
    expect(container.textContent).toContain('so $\\frac{1}{$ is');
    expect(container.querySelectorAll('[role="alert"]')).toHaveLength(0);
  });

  it('is text until its end has come', async () => {
    const { container, more } = show('so $a_1', false);
    expect(container.textContent).toBe('so $a_1');
    more('so $a_1$ is');
    await drawnFormula(container);
  });

  it('is shown as it was written where there is nobody to draw it', async () => {
    const { container } = show('so $a_1$ is', true, null);
    await vi.waitFor(() => expect(container.querySelector('[aria-busy]')).toBeNull(), 60_000);
    expect(container.textContent).toBe('so $a_1$ is');
  });

  it('on lines of its own that may be wide is reached by the keyboard', async () => {
    const { container } = show(`$$\n${'a + '.repeat(20)}b\n$$`);
    await drawnFormula(container);
    expect(screen.getByRole('group', { name: 'Formula' }).tabIndex).toBe(0);
  });
});

describe('a diagram', () => {
  it('is drawn with its words, its source at hand', async () => {
    const user = userEvent.setup();
    show(fenced('graph TD\n  A[Ready] --> B[Done]'));
    await screen.findByRole('img', { name: 'Diagram: Ready, Done' });
    await user.click(screen.getByRole('button', { name: 'Show source' }));
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByRole('group', { name: 'Source of the diagram' }).textContent).toContain('A[Ready]');
    await user.click(screen.getByRole('button', { name: 'Show diagram' }));
    expect(screen.getByRole('img')).toBeTruthy();
  });

  it('is copied as its source', async () => {
    const user = userEvent.setup();
    show(fenced('graph TD\n  A --> B'));
    await screen.findByRole('img');
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe('graph TD\n  A --> B');
  });

  it('that has a mistake is its source, with one line that says so', async () => {
    show(fenced('graph TD\n  A --'.replace('graph TD', 'grpah')));
    expect(await screen.findByText('This diagram can’t be drawn, so you see its source.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Show source' })).toBeNull();
  });

  it('is code while its fence is open, also inside of a list and where an answer was cut off', () => {
    const draw = vi.fn<Drawings['draw']>(() => Promise.resolve(null));
    const drawings = { ...direct, draw };
    const open = '```mermaid\ngraph TD\n  A --> B';
    show(open, false, drawings);
    show(open, true, drawings);
    show(`- one\n\n  ${open.replaceAll('\n', '\n  ')}`, false, drawings);
    expect(draw).not.toHaveBeenCalled();
  });

  it('twice in a page has arrows of its own each time', async () => {
    const { container } = show(`${fenced('graph TD\n  A --> B')}\n\n${fenced('graph TD\n  C --> D')}`);
    await vi.waitFor(() => expect(container.querySelectorAll('svg marker')).toHaveLength(4), 60_000);
    const ids = [...container.querySelectorAll('svg marker')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
