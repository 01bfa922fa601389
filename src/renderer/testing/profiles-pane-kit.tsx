/** The profiles of the settings in a window of a test, with a host that answers. */
import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Profile } from '../../protocol/model.ts';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { aModel, anEngine, aProfile, aSession, aSnapshot, aTurn, aUsage } from './fixtures.ts';
import { openTestWindow, renderIn } from './window-kit.tsx';
import { ProfilesPane } from '../features/settings/profiles-pane.tsx';

export const writer = aProfile({
  id: 'writer',
  name: 'Writer',
  builtIn: false,
  systemPrompt: 'You explain.',
});
const facts = [
  { name: 'read_file', description: 'Read a file.', risk: 'read', about: 'workspace', tokens: 96 },
  { name: 'run_command', description: 'Run a command.', risk: 'execute', about: 'workspace', tokens: 98 },
  { name: 'jira_search', description: 'Search tickets.', risk: 'network', about: 'outside', tokens: 143 },
];

/** What is pressed before the test begins. */
interface First {
  profileId?: string;
  page?: string;
  /** By its name in the window. */
  prompt?: string;
  creating?: true;
}

interface Setup {
  first?: First;
  profiles?: Profile[];
  replaces?: Profile | null;
}

/** A session with one answered request, on the profile Developer. */
export async function openPane({ first, profiles = [aProfile(), writer], replaces = null }: Setup = {}) {
  const window = await openTestWindow();
  const { host, stores } = window;
  stores.host.setState({
    sessions: [aSession(), aSession({ id: 's2', profileId: 'writer' })],
    profiles,
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  const models = [aModel(), aModel({ name: 'llama3:8b' })];
  stores.engine.setState({ engine: anEngine({ models }) });
  stores.ui.setState({ openSessionId: 's1', view: 'settings' });
  applySessionSnapshot(
    stores.session,
    aSnapshot({ turns: [aTurn({ status: 'finished', usage: [aUsage()] })] }),
  );
  host.answer('tool/list', () => ({ tools: facts }));
  host.answer('profile/files', ({ profileId }: { profileId: string }) => ({
    folder: `/profiles/${profileId}`,
    replaces,
    json: '{ "name": "Writer" }',
    commonPersona: 'You are Andiron.',
  }));
  host.answer(
    'profile/update',
    ({ profileId, changes }: { profileId: string; changes: Partial<Profile> }) => ({
      profile: aProfile({ id: profileId, ...changes, builtIn: false }),
    }),
  );
  const show = () => {
    const shown = renderIn(window, <ProfilesPane />);
    press(first);
    return shown;
  };
  const shown = show();
  const reopen = (): void => {
    shown.unmount();
    show();
  };
  await host.asked('profile/files');
  const told = (next: Profile[]): void => act(() => stores.host.setState({ profiles: next }));
  return { ...window, told, reopen, user: userEvent.setup() };
}

function press({ profileId, page, prompt, creating }: First = {}): void {
  if (profileId !== undefined) pressById(`profile-${profileId}-tab`);
  if (page !== undefined) pressById(`profile-page-${page}-tab`);
  if (prompt !== undefined) fireEvent.click(screen.getByRole('radio', { name: prompt }));
  if (creating) fireEvent.click(screen.getByRole('button', { name: 'New profile' }));
}

function pressById(id: string): void {
  const element = document.getElementById(id);
  if (!element) throw new Error(`There is no #${id}.`);
  fireEvent.click(element);
}
