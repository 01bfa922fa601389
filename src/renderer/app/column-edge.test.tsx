import { DirectionProvider } from '@base-ui/react/direction-provider';
import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { ColumnEdge, ColumnWidth } from './column-edge.tsx';

const drawn = (): string => document.documentElement.style.getPropertyValue('--w-left');

async function edgeOf(windowPx = 1920, direction: 'ltr' | 'rtl' = 'ltr') {
  Object.defineProperty(window, 'innerWidth', { value: windowPx, configurable: true });
  const test = await openTestWindow();
  renderIn(
    test,
    <DirectionProvider direction={direction}>
      <ColumnWidth />
      <ColumnEdge />
    </DirectionProvider>,
  );
  const separator = screen.getByRole('separator');
  return { ...test, edge: separator, drawn, user: userEvent.setup() };
}

const values = (edge: HTMLElement) =>
  ['valuemin', 'valuenow', 'valuemax'].map((name) => Number(edge.getAttribute(`aria-${name}`)));

it('a column is as drawn, and its edge says how far it can go', async () => {
  const { edge, drawn } = await edgeOf();
  expect(values(edge)).toEqual([200, 240, 400]);
  expect(drawn()).toBe('240px');
});

it('arrows move an edge its own way, Home and End as far as it goes', async () => {
  const { edge, drawn, user, stores } = await edgeOf();
  edge.focus();
  await user.keyboard('{ArrowRight}');
  expect(stores.ui.getState().columns).toEqual({ left: 248 });
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
  expect(drawn()).toBe('288px');
  await user.keyboard('{Home}');
  expect(drawn()).toBe('200px');
  await user.keyboard('{End}');
  expect(drawn()).toBe('400px');
});

it('a dragged edge is drawn at once and kept at the end; a double click takes it back', async () => {
  const { edge, drawn, stores } = await edgeOf();
  edge.setPointerCapture = () => undefined;
  fireEvent.pointerDown(edge, { pointerId: 1, clientX: 240, button: 0 });
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 300 });
  expect(drawn()).toBe('300px');
  expect(stores.ui.getState().columns.left).toBeNull();
  fireEvent.pointerUp(edge, { pointerId: 1, clientX: 300 });
  expect(stores.ui.getState().columns.left).toBe(300);
  fireEvent.doubleClick(edge);
  expect(stores.ui.getState().columns.left).toBeNull();
  expect(drawn()).toBe('240px');
});

it('an edge whose column stands at the right follows hand and arrows to the left', async () => {
  const { edge, drawn, user, stores } = await edgeOf(1920, 'rtl');
  edge.setPointerCapture = () => undefined;
  fireEvent.pointerDown(edge, { pointerId: 1, clientX: 1680, button: 0 });
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 1620 });
  expect(drawn()).toBe('300px');
  fireEvent.pointerUp(edge, { pointerId: 1, clientX: 1620 });
  edge.focus();
  await user.keyboard('{ArrowLeft}');
  expect(stores.ui.getState().columns.left).toBe(308);
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(stores.ui.getState().columns.left).toBe(292);
});

it('Escape gives a drag up', async () => {
  const { edge, drawn, stores } = await edgeOf();
  edge.setPointerCapture = () => undefined;
  fireEvent.pointerDown(edge, { pointerId: 1, clientX: 240, button: 0 });
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 400 });
  fireEvent.keyDown(edge, { key: 'Escape' });
  fireEvent.pointerUp(edge, { pointerId: 1, clientX: 400 });
  expect([drawn(), stores.ui.getState().columns.left]).toEqual(['240px', null]);
});

it('a window that becomes smaller takes back what the transcript lacks, and remembers it', async () => {
  const { drawn, stores } = await edgeOf();
  act(() => stores.ui.setState({ columns: { left: 400 } }));
  expect(drawn()).toBe('400px');
  Object.defineProperty(window, 'innerWidth', { value: 1088, configurable: true });
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(drawn()).toBe('272px');
  expect(stores.ui.getState().columns.left).toBe(400);
});
