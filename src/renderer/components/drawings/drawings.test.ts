import { describe, expect, it, vi } from 'vitest';
import { createDrawings, type DrawingWorkers } from './drawings.ts';
import type { DrawnTree } from './drawn-tree.ts';

const tree: DrawnTree = { tag: 'math', attributes: {}, styles: {}, children: ['x'] };
const formula = (tex: string) => ({ kind: 'math', tex, display: false }) as const;

function setUp(answer: DrawnTree | null = tree) {
  const math = vi.fn<DrawingWorkers['math']>(() => Promise.resolve(answer));
  const diagram = vi.fn<DrawingWorkers['diagram']>(() => Promise.resolve(answer));
  const idle: (() => void)[] = [];
  const drawings = createDrawings({ math, diagram }, (callback) => idle.push(callback));
  return { drawings, math, diagram, idle };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('drawings', () => {
  it('are handed over when the page has nothing better to do', async () => {
    const { drawings, idle } = setUp();
    const told = vi.fn<(drawn: DrawnTree | null) => void>();
    void drawings.draw(formula('x')).then(told);
    await settled();
    expect(told).not.toHaveBeenCalled();
    idle.shift()?.();
    await settled();
    expect(told).toHaveBeenCalledExactlyOnceWith(tree);
  });

  it.each([
    ['one that was drawn', tree],
    ['one that cannot be drawn', null],
  ])('of %s are asked for once, however often it comes into view', async (_, answer) => {
    const { drawings, math, idle } = setUp(answer);
    expect(drawings.known(formula('x'))).toBeUndefined();
    const both = Promise.all([drawings.draw(formula('x')), drawings.draw(formula('x'))]);
    await settled();
    for (const callback of idle) callback();
    expect(await both).toEqual([answer, answer]);
    expect(drawings.known(formula('x'))).toBe(answer);
    expect(await drawings.draw(formula('x'))).toBe(answer);
    expect(math).toHaveBeenCalledOnce();
  });

  it('of a formula in a line and on lines of its own differ', async () => {
    const { drawings, math, idle } = setUp();
    const both = Promise.all([
      drawings.draw(formula('x')),
      drawings.draw({ ...formula('x'), display: true }),
    ]);
    await settled();
    for (const callback of idle) callback();
    await both;
    expect(math).toHaveBeenCalledTimes(2);
  });

  it('are forgotten, the longest unused first, when there are too many', async () => {
    const { drawings, idle } = setUp({ ...tree, children: Array.from({ length: 18_000 }, () => 'x') });
    const draw = async (source: string): Promise<void> => {
      const drawn = drawings.draw({ kind: 'diagram', source });
      await settled();
      idle.shift()?.();
      await drawn;
    };
    const known = (source: string): boolean => drawings.known({ kind: 'diagram', source }) !== undefined;
    await draw('a');
    await draw('b');
    known('a');
    await draw('c');
    expect([known('a'), known('b'), known('c')]).toEqual([true, false, true]);
  });
});
