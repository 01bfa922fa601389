import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { anEngine, anItem } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ErrorCard } from './cards.tsx';

const qwen = {
  name: 'qwen3:8b',
  sizeBytes: 6 * 1024 ** 3,
  vramBytes: 6 * 1024 ** 3,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
};

async function failWith(code: string, last = true) {
  const window = await openTestWindow();
  window.stores.engine.setState({ engine: anEngine({ loaded: [qwen] }) });
  renderIn(window, <ErrorCard item={anItem('error', { code })} last={last} />);
  return { ...window, user: userEvent.setup() };
}

it.each(['load_starved', 'slot_lost'])(
  '%s offers to unload what is loaded, with what it frees',
  async (code) => {
    const { engine, user } = await failWith(code);
    await user.click(screen.getByRole('button', { name: 'Unload qwen3:8b, frees 6.0 GB' }));
    await engine.asked('model/unload');
    expect(engine.last('model/unload')).toEqual({ model: 'qwen3:8b' });
  },
);

it('a conversation that the template refuses offers a new one', async () => {
  const { stores, user } = await failWith('template_refused');
  stores.ui.setState({ openSessionId: 's1' });
  await user.click(screen.getByRole('button', { name: 'New session' }));
  expect(stores.ui.getState().openSessionId).toBeNull();
});

const look = () => screen.getByRole('button', { name: 'Continue' }).className;

it('going on comes first only where nothing has to be done before it', async () => {
  const { stores } = await failWith('slot_lost');
  expect(look()).not.toContain('primary');
  act(() => stores.engine.setState({ engine: anEngine({ loaded: [] }) }));
  expect(look()).toContain('primary');
});

it('an error of an earlier turn offers nothing', async () => {
  await failWith('slot_lost', false);
  expect(screen.queryByRole('button')).toBeNull();
});
