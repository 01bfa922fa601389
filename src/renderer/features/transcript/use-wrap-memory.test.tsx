import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { MarkdownReader } from '../../components/markdown/reader.ts';
import { WrapMemoryContext } from '../../components/code/wrapped.tsx';
import { createUiStore } from '../../stores/ui-store.ts';
import { MemoryStorage, openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import type { Row } from './rows.ts';
import { RowView } from './row-view.tsx';
import { useWrapMemory } from './use-wrap-memory.ts';

const blocks = new MarkdownReader().read('```ts\none();\n```\n\n```ts\ntwo();\n```', true);
const row: Row = {
  key: 'item_1:0',
  newTurn: false,
  kind: 'text',
  part: { blocks, length: 40 },
  sources: [],
  continued: false,
  writing: false,
  plain: false,
  cutOff: false,
};

function Remembering({ shown }: { shown: boolean }) {
  return <WrapMemoryContext value={useWrapMemory()}>{shown && <RowView row={row} />}</WrapMemoryContext>;
}

const pressed = (): (string | null)[] =>
  screen.getAllByRole('button', { name: 'Wrap' }).map((button) => button.getAttribute('aria-pressed'));

it('one of two blocks stays wrapped when its row leaves the screen and comes back', async () => {
  const window = await openTestWindow();
  const { rerender } = renderIn(window, <Remembering shown />);
  const [, second] = screen.getAllByRole('button', { name: 'Wrap' });
  if (second) await userEvent.setup().click(second);
  expect(pressed()).toEqual(['false', 'true']);
  rerender(<Remembering shown={false} />);
  expect(screen.queryByRole('button', { name: 'Wrap' })).toBeNull();
  rerender(<Remembering shown />);
  expect(pressed()).toEqual(['false', 'true']);
});

it('what is wrapped is known to the next window, and nothing that is no choice', () => {
  const storage = new MemoryStorage();
  createUiStore(storage).setState({ wrapped: { here: true, there: false } });
  expect(createUiStore(storage).getState().wrapped).toEqual({ here: true, there: false });
  const [key = '', value = ''] = [...storage.values][0] ?? [];
  storage.write(
    key,
    JSON.stringify({ ...(JSON.parse(value) as object), wrapped: { here: 'yes', there: true } }),
  );
  expect(createUiStore(storage).getState().wrapped).toEqual({ there: true });
});
