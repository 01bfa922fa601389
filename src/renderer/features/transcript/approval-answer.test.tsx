import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask } from '../../testing/approval-kit.tsx';
import { anApproval, anItem } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { renderIn } from '../../testing/window-kit.tsx';
import type { WatchSight } from '../../components/sight.ts';
import { ApprovalCard } from './approval-card.tsx';

const card = () => screen.getByRole('region', { name: 'Approval' });
const words = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Or tell it what to do instead' });
const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const later = (): void => void vi.setSystemTime(Date.now() + 1000);

const rules = [
  { words: ['npm', 'test', '--', 'lease'], isExact: true },
  { words: ['npm', 'test'], isExact: false },
];
const kept = { sandboxed: true, rules } as const;

/** Its end is further down than its box shows. */
const endHidden: WatchSight = (element, onSight) => {
  onSight(element.nextSibling !== null);
  return () => undefined;
};

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

describe('the words of a no', () => {
  it('are written and sent by keys alone, and Shift and Enter begins a line', async () => {
    const { user, host } = await ask();
    later();
    await user.keyboard('r');
    expect(document.activeElement).toBe(words());
    await user.keyboard('Use pnpm{Shift>}{Enter}{/Shift}instead, d and e{Enter}');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toEqual({
      sessionId: 's1',
      approvalId: 'a1',
      decision: 'deny',
      scope: 'once',
      reply: 'Use pnpm\ninstead, d and e',
    });
  });

  it.each([
    ['a press on Decline', () => fireEvent.click(button(/^Decline and reply/))],
    ['D on the card', () => fireEvent.keyDown(card(), { key: 'd' })],
    ['Enter in their field', () => fireEvent.keyDown(words(), { key: 'Enter' })],
    ['Ctrl and Enter in their field', () => fireEvent.keyDown(words(), { key: 'Enter', ctrlKey: true })],
  ])('go with %s', async (_, decline) => {
    const { user, host, stores } = await ask({
      editable: { argument: 'command', text: 'npm test -- lease' },
    });
    host.answer('approval/answer', () => null);
    await user.type(words(), ' Use pnpm ');
    later();
    decline();
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny', reply: 'Use pnpm' });
    await act(settled);
    expect(stores.ui.getState().replyDrafts).toEqual({});
  });

  it('go with it also while the command is being changed, which Enter in their field never allows', async () => {
    const { user, host } = await ask({ editable: { argument: 'command', text: 'npm test -- lease' } });
    later();
    await user.keyboard('e --bail');
    await user.type(words(), 'Use pnpm{Control>}{Enter}{/Control}');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny', reply: 'Use pnpm' });
  });

  it('are not there in a plain no, nor where they are blank', async () => {
    const { user, host } = await ask();
    await user.type(words(), '   ');
    await user.click(button(/^Decline/));
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).not.toHaveProperty('reply');
  });

  it('stay when the card is scrolled away, and when the answer did not arrive', async () => {
    const opened = await ask();
    await opened.user.type(words(), 'Use pnpm');
    opened.withdraw();
    renderIn(opened, opened.card);
    expect(words().value).toBe('Use pnpm');
    await opened.user.click(button(/^Decline and reply/));
    opened.host.drop();
    await act(settled);
    expect(words()).toMatchObject({ value: 'Use pnpm', readOnly: false });
  });

  it('are left with Escape, which stops no turn and leads back to the card', async () => {
    const { user, host } = await ask();
    const heard = vi.fn<(event: KeyboardEvent) => void>();
    document.addEventListener('keydown', heard);
    later();
    await user.type(words(), 'No{Escape}');
    document.removeEventListener('keydown', heard);
    expect(heard.mock.calls.flat()).not.toContainEqual(expect.objectContaining({ key: 'Escape' }));
    expect(document.activeElement).toBe(card());
    expect(words().value).toBe('No');
    expect(host.count('approval/answer')).toBe(0);
  });
});

describe('Enter', () => {
  it('allows nothing while words of a no are written, on the card or in their field', async () => {
    const { user, host } = await ask(kept);
    await user.type(words(), 'Use pnpm');
    later();
    await user.keyboard('{Escape}{Enter}{Shift>}{Enter}{/Shift}');
    expect(host.count('approval/answer')).toBe(0);
    await user.click(words());
    await user.keyboard('{Enter}');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny' });
  });

  it('in the empty field is a no', async () => {
    const { user, host } = await ask(kept);
    await user.click(words());
    later();
    await user.keyboard('{Enter}');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny' });
  });

  it('on another control of the card is that control’s', async () => {
    const { user, host } = await ask(kept);
    button(/^Decline/).focus();
    later();
    await user.keyboard('{Enter}');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toMatchObject({ decision: 'deny' });
  });

  it('on the card allows nothing of which the end was seen but is out of sight again', async () => {
    const tell: ((inSight: boolean) => void)[] = [];
    const sight: WatchSight = (_element, onSight) => {
      tell.push(onSight);
      onSight(true);
      return () => undefined;
    };
    const { user, host } = await ask(kept, { sight });
    later();
    act(() => tell.at(-1)?.(false));
    await user.keyboard('{Enter}{Shift>}{Enter}{/Shift}');
    expect(host.count('approval/answer')).toBe(0);
    expect(button(/^Allow once/).disabled).toBe(false);
  });

  it('of a person who writes a message is none of the card', async () => {
    const message = (
      <textarea aria-label="Message" defaultValue="half a thought" ref={(box) => box?.focus()} />
    );
    const { user, host } = await ask(kept, { before: message });
    later();
    await user.keyboard('{Enter}d{Shift>}{Enter}{/Shift}');
    expect(host.count('approval/answer')).toBe(0);
  });

  it('meant for one question never answers another one that came meanwhile', async () => {
    const opened = await ask();
    const [first] = screen.getAllByRole('region', { name: 'Approval' });
    const approval = anApproval({ id: 'a2' });
    renderIn(
      opened,
      <ApprovalCard item={anItem('tool', { state: 'awaiting_approval', approval })} approval={approval} />,
    );
    expect(document.activeElement).toBe(first);
    later();
    await opened.user.keyboard('{Enter}');
    await opened.host.asked('approval/answer');
    expect(opened.host.last('approval/answer')).toMatchObject({ approvalId: 'a1' });
  });

  it('with Shift gives the narrowest lasting yes, and nothing where there is none', async () => {
    const { user, host } = await ask(kept);
    later();
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toEqual({
      sessionId: 's1',
      approvalId: 'a1',
      decision: 'allow',
      scope: 'once',
      rule: rules[0],
    });
  });

  it('with Shift is no answer where nothing lasting is offered', async () => {
    const { user, host } = await ask();
    later();
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(host.count('approval/answer')).toBe(0);
  });

  it('shows all of a call that is longer than its box, and allows no line that was not seen', async () => {
    const { user, host } = await ask(kept, { sight: endHidden });
    later();
    expect(button(/^Show all/)).toBeTruthy();
    expect(button(/^Allow once/).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: /^Always/ })).toBeNull();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Call' }));
    expect(button(/^Show the rest/)).toBeTruthy();
    await user.keyboard('{Enter}');
    card().focus();
    await user.keyboard('{Enter}{Shift>}{Enter}{/Shift}');
    expect(host.count('approval/answer')).toBe(0);
    expect(button(/^Allow once/).disabled).toBe(true);
    expect(screen.queryByRole('button', { name: /^Always/ })).toBeNull();
  });

  it('and a press on its button lead a page further down until the end was seen, and no further', async () => {
    const tell: ((inSight: boolean) => void)[] = [];
    const sight: WatchSight = (_element, onSight) => {
      tell.push(onSight);
      onSight(tell.length === 1);
      return () => undefined;
    };
    const { user, host } = await ask(kept, { sight });
    later();
    const box = screen.getByRole('group', { name: 'Call' });
    Object.defineProperty(box, 'clientHeight', { value: 100 });
    await user.click(button(/^Show all/));
    expect(box.scrollTop).toBe(0);
    await user.keyboard('{Enter}');
    expect(box.scrollTop).toBe(90);
    await user.click(button(/^Show the rest/));
    expect(box.scrollTop).toBe(180);
    act(() => tell.at(-1)?.(true));
    act(() => tell[0]?.(false));
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
    await user.keyboard('{Enter}');
    expect(box.scrollTop).toBe(180);
    expect(host.count('approval/answer')).toBe(0);
    // Its key would allow nothing here, so the button shows none.
    expect(button(/^Allow once/)).toMatchObject({ disabled: false, textContent: 'Allow once' });
  });
});

describe('a yes to more than this once', () => {
  it.each([
    ['Always allow exactly this here', { rule: rules[0] }],
    ['Always allow npm test … here', { rule: rules[1] }],
  ])('%s gives just that, once', async (name, given) => {
    const { user, host } = await ask(kept);
    await user.click(screen.getByRole('button', { name: new RegExp(`^${name}`) }));
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toEqual({
      sessionId: 's1',
      approvalId: 'a1',
      decision: 'allow',
      scope: 'once',
      ...given,
    });
  });

  it('names the words of the only command that it covers', async () => {
    await ask({ sandboxed: true, rules: [{ words: ['npm', 'test'], isExact: true }] });
    expect(button(/^Always allow npm test here/)).toBeTruthy();
  });

  it('is not offered while the command is being changed', async () => {
    const { user } = await ask({ ...kept, editable: { argument: 'command', text: 'npm test -- lease' } });
    later();
    await user.keyboard('e');
    expect(screen.queryByRole('button', { name: /^Always/ })).toBeNull();
  });

  it('is not what Allow once gives', async () => {
    const { user, host } = await ask(kept);
    await user.click(button(/^Allow once/));
    await host.asked('approval/answer');
    expect(host.last('approval/answer')).toEqual({
      sessionId: 's1',
      approvalId: 'a1',
      decision: 'allow',
      scope: 'once',
    });
  });
});

it('A subagent that asks is named on its card, with what hides in the name', async () => {
  await ask({}, { asker: 'dev\u202Eeloper' });
  expect(card().textContent).toContain('asked by the subagent devU+202Eeloper');
});
