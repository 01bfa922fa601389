import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { CommandRules } from './command-rules.tsx';

const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

it('commands that are always allowed are listed by folder with their use, and ask again by keyboard', async () => {
  const window = await openTestWindow();
  const user = userEvent.setup();
  const rule = { workspace: '/work', createdAt: 0, lastUsedAt: null, used: 0 };
  let rules = [
    { ...rule, id: 'r1', words: ['npm', 'test'], isExact: true, used: 3, lastUsedAt: 0 },
    { ...rule, id: 'r2', words: ['git', 'log'], isExact: false },
  ];
  window.host
    .answer('approval/rules', () => ({ rules }))
    .answer('approval/remove-rule', ({ ruleId }: { ruleId: string }) => {
      rules = rules.filter(({ id }) => id !== ruleId);
      window.stores.host.setState(({ grantChanges = 0 }) => ({ grantChanges: grantChanges + 1 }));
      return {};
    });
  renderIn(window, <CommandRules />);
  await act(() => settled());
  expect(rows()).toEqual([
    expect.stringMatching(/^npm test used 3 times, last 1 Jan 1970/),
    expect.stringMatching(/^git log … allowed 1 Jan 1970, not used yet/),
  ]);
  const [first] = screen.getAllByRole('button', { name: 'Ask again' });
  expect(first?.getAttribute('aria-description')).toBe('Ask again before npm test in /work');
  first?.focus();
  await user.keyboard('{Enter}');
  await act(() => settled());
  expect(rows()).toHaveLength(1);
  expect(document.activeElement?.getAttribute('aria-description')).toBe(
    'Ask again before git log … in /work',
  );
});
