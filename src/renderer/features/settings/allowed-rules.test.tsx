import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { aSnapshot } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { KeptRules } from './allowed-rules.tsx';

const python = () => screen.getByRole('switch', { name: 'Packages for Python' });
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

it('commands that are always allowed are listed by folder with their use, and ask again by keyboard', async () => {
  const window = await openTestWindow();
  const user = userEvent.setup();
  const rule = { workspace: '/work', person: null as string | null, createdAt: 0, lastUsedAt: null, used: 0 };
  let rules = [
    { ...rule, id: 'r1', words: ['npm', 'test'], isExact: true, used: 3, lastUsedAt: 0 },
    { ...rule, id: 'r2', words: ['git', 'log'], isExact: false, person: 'Ann' },
  ];
  window.host
    .answer('approval/rules', () => ({ folder: null, rules, hosts: [] }))
    .answer('approval/remove-rule', ({ ruleId }: { ruleId: string }) => {
      rules = rules.filter(({ id }) => id !== ruleId);
      window.stores.host.setState(({ grantChanges = 0 }) => ({ grantChanges: grantChanges + 1 }));
      return {};
    });
  renderIn(window, <KeptRules />);
  await act(() => settled());
  expect(rows()).toEqual([
    expect.stringMatching(/^npm test used 3 times, last 1 Jan 1970/),
    expect.stringMatching(/^git log … for Ann, allowed 1 Jan 1970, not used yet/),
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

it('hosts are listed with where they hold, and those often needed are switched on and off for the open folder', async () => {
  const window = await openTestWindow();
  const user = userEvent.setup();
  const hostRule = {
    workspace: '/work',
    person: null,
    sessionId: null,
    createdAt: 0,
    lastUsedAt: null,
    used: 0,
  };
  let hosts = [
    { ...hostRule, id: 'h1', host: '10.0.0.1:8080', sessionId: 's1' as string | null },
    { ...hostRule, id: 'h2', host: 'pypi.org', workspace: '/other' },
  ];
  const changed = (): object => {
    window.stores.host.setState(({ grantChanges = 0 }) => ({ grantChanges: grantChanges + 1 }));
    return {};
  };
  window.host
    .answer('approval/rules', () => ({ folder: '/work', rules: [], hosts }))
    .answer('approval/add-hosts', ({ hosts: added }: { hosts: string[] }) => {
      hosts = [...hosts, ...added.map((host) => ({ ...hostRule, id: `of ${host}`, host }))];
      return changed();
    })
    .answer('approval/remove-rule', ({ ruleId }: { ruleId: string }) => {
      hosts = hosts.filter(({ id }) => id !== ruleId);
      return changed();
    });
  window.stores.session.setState({ state: aSnapshot() });
  renderIn(window, <KeptRules />);
  await act(() => settled());
  expect(rows()).toContainEqual(expect.stringMatching(/^10.0.0.1:8080 one session, allowed/));
  expect(python().getAttribute('aria-checked')).toBe('false');
  await user.click(python());
  await act(() => settled());
  expect(window.host.last('approval/add-hosts')).toEqual({
    sessionId: 's1',
    hosts: ['pypi.org', 'files.pythonhosted.org'],
  });
  expect(python().getAttribute('aria-checked')).toBe('true');
  python().focus();
  await user.keyboard(' ');
  await act(() => settled());
  expect(python().getAttribute('aria-checked')).toBe('false');
  expect(hosts.map(({ id }) => id)).toEqual(['h1', 'h2']);
});
