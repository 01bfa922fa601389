import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ToolDisplay, ToolItem } from '../../../protocol/model.ts';
import { anItem } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { maskDiff } from './masked.tsx';
import { ToolBody } from './tool-body.tsx';

/** Put together here, so that no scanner takes it for a real one. */
const secret = 'a1B2c3D4e5F6'.repeat(3);
const key = `ghp_${secret}`;

async function show(over: Partial<ToolItem>) {
  const item = anItem('tool', { state: 'done', result: '', ...over });
  const { container } = renderIn(await openTestWindow(), <ToolBody item={item} />);
  return { user: userEvent.setup(), words: () => container.textContent, html: () => container.innerHTML };
}

const hunk = (...lines: string[]): Extract<ToolDisplay, { kind: 'diff' }> => ({
  kind: 'diff',
  path: '.env',
  hunks: [{ oldStart: 1, newStart: 1, lines }],
  added: 1,
  removed: 1,
});

const displays: [string, Partial<ToolItem>][] = [
  ['what a command printed', { tool: 'run_command', output: `TOKEN ${key}\n` }],
  ['what a running command prints', { tool: 'run_command', state: 'running', output: `TOKEN ${key}\n` }],
  [
    'a file',
    {
      display: {
        kind: 'file',
        path: '.env',
        text: `A=1\nT=${key}\n`,
        firstLine: 1,
        lastLine: 2,
        totalLines: 2,
      },
    },
  ],
  ['a change', { display: hunk(' A=1', '-T=', `+T=${key}`) }],
  [
    'what a search found',
    {
      display: {
        kind: 'matches',
        matches: [{ path: '.env', line: 2, text: `T=${key}` }],
        files: 1,
        total: 1,
        truncated: false,
      },
    },
  ],
  ['what a tool without a drawing brought', { tool: 'other', display: null, output: '', result: `T=${key}` }],
];

test.each(displays)('A key in %s is hidden until it is asked for', async (_what, over) => {
  const { user, words, html } = await show(over);
  expect(html()).not.toContain(secret);
  expect(words()).toContain('1 key or password hidden');
  await user.click(screen.getByRole('button', { name: 'Show' }));
  expect(words().replaceAll(/\s/g, '')).toContain(secret);
  await user.click(screen.getByRole('button', { name: 'Hide' }));
  expect(html()).not.toContain(secret);
});

test('Where there is none, nothing is said of keys', async () => {
  const { words } = await show({ tool: 'run_command', output: 'ok\n' });
  expect(words()).not.toContain('key or password');
});

test('What the call asked for has its keys hidden too, and one button shows both', async () => {
  const { user, words, html } = await show({
    tool: 'run_command',
    output: `${key}\n`,
    args: { command: `echo ${key}` },
  });
  await user.click(screen.getByRole('button', { name: 'Details' }));
  expect(html()).not.toContain(secret);
  await user.click(screen.getAllByRole('button', { name: 'Show' })[0] as HTMLElement);
  expect(words().split(secret).length).toBeGreaterThan(2);
});

test('In a change each line keeps its sign and its length', () => {
  const lines = [' A=1', `-T=${key}`, `+T=${key}x`, ' -----BEGIN PRIVATE KEY-----', `+${secret}`, ' B=2'];
  const { masked, count } = maskDiff(hunk(...lines));
  const drawn = masked.hunks[0]?.lines ?? [];
  expect(count).toBe(3);
  expect(drawn.map((line) => [line[0], line.length])).toEqual(lines.map((line) => [line[0], line.length]));
  expect(drawn[0]).toBe(' A=1');
  expect(drawn.join('\n')).not.toContain(secret);
});
