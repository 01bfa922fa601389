/** The message box of a session with nothing said in it, as a person finds it. */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Turn } from '../../protocol/model.ts';
import { Composer } from '../features/composer/composer.tsx';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { aModel, anEngine, aProfile, aSession, aSnapshot } from './fixtures.ts';
import { openTestWindow, renderIn } from './window-kit.tsx';

export async function openComposer() {
  const window = await openTestWindow();
  window.stores.host.setState({
    connection: 'live',
    sessions: [aSession()],
    profiles: [aProfile(), aProfile({ id: 'writer', name: 'Writer', models: [] })],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel(), aModel({ name: 'llama3:8b' })] }) });
  window.stores.ui.setState({ openSessionId: 's1' });
  applySessionSnapshot(window.stores.session, aSnapshot());
  const { container } = renderIn(window, <Composer />);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  return {
    ...window,
    user: userEvent.setup(),
    box,
    /** The column that it stands in. */
    column: container,
    /** What was said in the session. */
    say: (turns: Turn[]): void =>
      act(() => applySessionSnapshot(window.stores.session, aSnapshot({ turns }))),
  };
}
