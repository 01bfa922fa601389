import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask } from '../../testing/approval-kit.tsx';
import { Composer } from '../composer/composer.tsx';

const card = () => screen.getByRole('region', { name: 'Approval' });
const message = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const editable = { argument: 'command', text: 'npm test -- lease' };

/** A question that took the keyboard from the empty message box, some while ago. */
async function askWriter() {
  const opened = await ask({ editable }, { before: <Composer /> });
  expect(document.activeElement).toBe(card());
  vi.setSystemTime(Date.now() + 1000);
  return opened;
}

/** As a page does it: a key that nobody took goes into the field that has the keyboard by then. */
function type(words: string): void {
  for (const key of words) {
    const isFree = fireEvent.keyDown(document.activeElement ?? document.body, { key });
    const field = document.activeElement;
    if (isFree && field instanceof HTMLTextAreaElement) {
      fireEvent.change(field, { target: { value: field.value + key } });
    }
    pass(150);
  }
}

const press = (key: string): void => void fireEvent.keyDown(card(), { key });
function pass(ms: number): void {
  act(() => void vi.advanceTimersByTime(ms));
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

describe('a question that took the keyboard from the empty message box', () => {
  it.each(['stop', 'danke', 'nein', 'ende', 'run it again', 'eerie', 'do', 'd k', 'D&C'])(
    'answers nothing while "%s" is typed, which goes into the box',
    async (words) => {
      const { host } = await askWriter();
      type(words);
      expect(document.activeElement).toBe(message());
      expect(message().value).toBe(words);
      pass(5000);
      expect(host.count('approval/answer')).toBe(0);
      expect(screen.queryByRole('textbox', { name: 'Command' })).toBeNull();
    },
  );

  it('lets Enter after a word send it, and allows nothing', async () => {
    const { host } = await askWriter();
    type('stop');
    fireEvent.keyDown(message(), { key: 'Enter' });
    pass(5000);
    expect(host.count('approval/answer')).toBe(0);
    await host.asked('turn/start');
    expect(host.last('turn/start')).toMatchObject({ text: 'stop' });
  });

  it('allows nothing with Enter right after a letter, and keeps that in the box', async () => {
    const { host } = await askWriter();
    type('d');
    press('Enter');
    pass(5000);
    expect(host.count('approval/answer')).toBe(0);
    expect(message().value).toBe('d');
  });

  it('takes Enter alone as allow at once', async () => {
    const { host } = await askWriter();
    press('Enter');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'allow' });
  });

  it('takes a letter as an answer once no other key followed it', async () => {
    const { host } = await askWriter();
    press('d');
    pass(799);
    expect(host.count('approval/answer')).toBe(0);
    pass(1);
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny' });
  });

  it('takes a letter as an answer also where an impatient person presses it again and again', async () => {
    const { host } = await askWriter();
    for (let count = 0; count < 8; count += 1) {
      press('d');
      pass(100);
    }
    await host.asked('approval/answer');
    expect(host.count('approval/answer')).toBe(1);
  });

  it('takes letters as answers at once from a person who has pressed on it', async () => {
    const { host } = await askWriter();
    fireEvent.pointerDown(card());
    press('d');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny' });
  });

  it('hands the keyboard to the box for what is pasted', async () => {
    const { host } = await askWriter();
    fireEvent.keyDown(card(), { key: 'v', ctrlKey: true });
    expect(document.activeElement).toBe(message());
    expect(host.count('approval/answer')).toBe(0);
  });

  it('answers no more with a letter that waited when the person has left it', async () => {
    const { host } = await askWriter();
    press('d');
    act(() => message().focus());
    pass(5000);
    expect(host.count('approval/answer')).toBe(0);
  });
});
