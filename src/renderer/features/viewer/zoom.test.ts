import { describe, expect, it } from 'vitest';
import { stepped, wheeled } from './zoom.ts';

describe('a picture', () => {
  it('grows and shrinks by steps, also from between them, and skips one that would hardly be seen', () => {
    expect([stepped(0.62, 1), stepped(0.62, -1), stepped(0.99, 1), stepped(1, -1)]).toEqual([
      0.75, 0.5, 1.5, 0.75,
    ]);
  });

  it('stays where there is no further step', () => {
    expect([stepped(8, 1), stepped(0.1, -1), stepped(0.03, -1)]).toEqual([8, 0.1, 0.03]);
  });

  it('follows the wheel by as much as it turns, back and forth to the same size', () => {
    expect(wheeled(1, -400)).toBe(2);
    expect(wheeled(wheeled(0.7, 130), -130)).toBeCloseTo(0.7);
  });

  it('is held by the wheel between the last steps, and a smaller one is not made larger by turning down', () => {
    expect([wheeled(6, -4000), wheeled(0.2, 4000), wheeled(0.04, 100)]).toEqual([8, 0.1, 0.04]);
  });
});
