import { fireEvent, screen, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aProfile } from '../../testing/fixtures.ts';
import { openPane, writer } from '../../testing/profiles-pane-kit.tsx';

const price = 're-reads about 3,210 tokens, about 3 s';

/** The page with the fewest rows, for what happens around it. */
const light = { page: 'file' } as const;

describe('making a profile', () => {
  it('asks for a name, and what it begins with', async () => {
    const { user, host, told } = await openPane({ first: light });
    const made = aProfile({ id: 'notes', name: 'Notes', builtIn: false });
    host.answer('profile/create', () => {
      told([aProfile(), made, writer]);
      return { profile: made };
    });
    await user.click(screen.getByRole('button', { name: 'New profile' }));
    const dialog = await screen.findByRole('dialog', { name: 'New profile' });
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Notes');
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Begin with' }), 'Writer');
    await user.click(within(dialog).getByRole('button', { name: 'Create profile' }));
    await host.asked('profile/create');
    expect(host.last('profile/create')).toEqual({ name: 'Notes', from: 'writer' });
    expect(await screen.findByRole('heading', { name: 'Notes' })).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says what is wrong with the name as it is typed, and asks for nothing', async () => {
    const { user, host } = await openPane({ first: { ...light, creating: true } });
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'writer');
    expect(screen.getByText('There is a profile of this name.')).toBeDefined();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('There is a profile of this name.');
    expect(host.count('profile/create')).toBe(0);
  });

  it('keeps what was typed when the disk refuses', async () => {
    const { user, host } = await openPane({ first: { ...light, creating: true } });
    host.answer('profile/create', () => new Error('The disk is full.'));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Notes{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Notes');
  });

  it('copies one under a free name', async () => {
    const { user, host } = await openPane({
      first: light,
      profiles: [aProfile(), aProfile({ id: 'developer-copy', name: 'Developer copy' })],
    });
    await user.click(screen.getByRole('button', { name: 'Duplicate' }));
    await host.asked('profile/create');
    expect(host.last('profile/create')).toEqual({ name: 'Developer copy 2', from: 'developer' });
  });
});

const choose = async (user: ReturnType<typeof userEvent.setup>, item: string): Promise<void> => {
  await user.click(screen.getByRole('button', { name: 'More for this profile' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};

describe('deleting a profile', () => {
  it('is done at once where nobody pays, and can be undone', async () => {
    const { user, host, told } = await openPane({ first: { ...light, profileId: 'writer' } });
    host.answer('profile/delete', () => {
      told([aProfile()]);
      return { restoreId: 'writer~1', remaining: null };
    });
    host.answer('profile/restore', () => {
      told([aProfile(), writer]);
      return { profileId: 'writer' };
    });
    await choose(user, 'Delete profile');
    expect(await screen.findByText('Writer is deleted. 1 session goes on with Developer.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await host.asked('profile/restore');
    expect(host.last('profile/restore')).toEqual({ restoreId: 'writer~1' });
    expect(await screen.findByRole('heading', { name: 'Writer' })).toBeDefined();
  });

  it('says first what going back to the built-in one costs the open session', async () => {
    const own = aProfile({ builtIn: false, systemPrompt: 'Mine.' });
    const { user, host } = await openPane({ first: light, profiles: [own, writer], replaces: aProfile() });
    host.answer('profile/delete', () => ({ restoreId: 'developer~1', remaining: aProfile() }));
    await choose(user, 'Restore the built-in profile');
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain(price);
    expect(host.count('profile/delete')).toBe(0);
    await user.click(within(question).getByRole('button', { name: 'Restore the built-in profile' }));
    await host.asked('profile/delete');
    expect(await screen.findByText('Developer is the built-in one again.')).toBeDefined();
  });

  it('is not offered for a built-in one', async () => {
    const { user } = await openPane({ first: light });
    await user.click(screen.getByRole('button', { name: 'More for this profile' }));
    const item = await screen.findByRole('menuitem', { name: 'A built-in profile can’t be deleted.' });
    expect(item.getAttribute('aria-disabled')).toBe('true');
  });
});

const prompt = (): HTMLElement => screen.getByRole('textbox', { name: 'Prompt' });

describe('the texts', () => {
  it('are saved with Ctrl S, after saying what it costs', async () => {
    const { user, host } = await openPane({ first: { page: 'prompts' } });
    host.answer('profile/write-prompt', ({ text }: { text: string }) => ({
      profile: aProfile({ builtIn: false, systemPrompt: text }),
      conflict: null,
    }));
    await user.type(prompt(), ' Be brief.');
    expect(screen.getByText(new RegExp(price)).textContent).toContain('“Flaky lease test”');
    await user.keyboard('{Control>}s{/Control}');
    await host.asked('profile/write-prompt');
    expect(host.last('profile/write-prompt')).toEqual({
      profileId: 'developer',
      prompt: 'system',
      text: 'You are a developer. Be brief.',
      expected: 'You are a developer.',
    });
    expect(await screen.findByText('Saved')).toBeDefined();
  });

  it('keep what is typed while they are saved, as a change of what was saved', async () => {
    const { user, host, told } = await openPane({ first: { page: 'prompts' } });
    const alerts: unknown[] = [];
    host.answer('profile/write-prompt', ({ text }: { text: string }) => {
      const profile = aProfile({ builtIn: false, systemPrompt: text });
      fireEvent.change(prompt(), { target: { value: `${text} And kind.` } });
      told([profile, writer]);
      alerts.push(screen.queryByRole('alert'));
      return { profile, conflict: null };
    });
    await user.type(prompt(), ' Be brief.');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Not saved')).toBeDefined();
    expect(prompt()).toHaveProperty('value', 'You are a developer. Be brief. And kind.');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect(host.last('profile/write-prompt')).toMatchObject({
      text: 'You are a developer. Be brief. And kind.',
      expected: 'You are a developer. Be brief.',
    });
    expect(alerts).toEqual([null, null]);
  });

  it('keep what is taken back while they are saved', async () => {
    const { user, host } = await openPane({ first: { page: 'prompts' } });
    host.answer('profile/write-prompt', ({ text }: { text: string }) => {
      fireEvent.change(prompt(), { target: { value: 'You are.' } });
      fireEvent.change(prompt(), { target: { value: 'You are a developer.' } });
      return { profile: aProfile({ builtIn: false, systemPrompt: text }), conflict: null };
    });
    await user.type(prompt(), ' Be brief.');
    await user.keyboard('{Control>}s{/Control}');
    await host.asked('profile/write-prompt');
    expect(await screen.findByText('Not saved')).toBeDefined();
    expect(prompt()).toHaveProperty('value', 'You are a developer.');
  });

  it('stay as they were typed while another profile is looked at, and are marked in the list', async () => {
    const { user } = await openPane({ first: { page: 'prompts' } });
    await user.type(prompt(), ' More.');
    await user.click(screen.getByRole('tab', { name: /^Writer/ }));
    expect(prompt()).toHaveProperty('value', 'You explain.');
    expect(screen.getByRole('tab', { name: /^Developer/ }).textContent).toContain('not saved');
    await user.click(screen.getByRole('tab', { name: /^Developer/ }));
    expect(prompt()).toHaveProperty('value', 'You are a developer. More.');
    await user.click(screen.getByRole('button', { name: 'Revert' }));
    expect(prompt()).toHaveProperty('value', 'You are a developer.');
    expect(screen.queryByText('not saved')).toBeNull();
  });

  it('stay as they were typed when the disk refuses', async () => {
    const { user, host } = await openPane({ first: { page: 'prompts' } });
    host.answer('profile/write-prompt', () => new Error('The disk is full.'));
    await user.type(prompt(), ' More.');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    expect(prompt()).toHaveProperty('value', 'You are a developer. More.');
  });

  it('cannot be nothing', async () => {
    const { user, host } = await openPane({ first: { page: 'prompts' } });
    await user.clear(prompt());
    expect(screen.getByText('A profile needs a prompt.')).toBeDefined();
    await user.keyboard('{Control>}s{/Control}');
    expect(host.count('profile/write-prompt')).toBe(0);
  });

  it('say when the file was changed meanwhile: mine is kept, or the file’s is taken', async () => {
    const { user, host, told } = await openPane({ first: { page: 'prompts' } });
    await user.type(prompt(), ' More.');
    told([aProfile({ systemPrompt: 'You edit.' }), writer]);
    expect(screen.getByRole('alert').textContent).toContain('system.md changed');
    await user.click(screen.getByRole('button', { name: 'Keep mine' }));
    host.answer('profile/write-prompt', () => ({ profile: aProfile(), conflict: null }));
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    await host.asked('profile/write-prompt');
    expect(host.last('profile/write-prompt')).toMatchObject({ expected: 'You edit.' });
  });

  it('take the file’s where the person says so', async () => {
    const { user, told } = await openPane({ first: { page: 'prompts' } });
    await user.type(prompt(), ' More.');
    told([aProfile({ systemPrompt: 'You edit.' }), writer]);
    await user.click(screen.getByRole('button', { name: 'Use the file’s' }));
    expect(prompt()).toHaveProperty('value', 'You edit.');
  });

  it('learn from a refused write what the file says', async () => {
    const { user, host } = await openPane({ first: { page: 'prompts' } });
    host.answer('profile/write-prompt', () => ({ profile: aProfile(), conflict: 'You edit.' }));
    await user.type(prompt(), ' More.');
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('You edit.');
    expect(prompt()).toHaveProperty('value', 'You are a developer. More.');
  });

  it('show the persona of all profiles where there is none of its own', async () => {
    const { user } = await openPane({ first: { page: 'prompts' } });
    await user.click(screen.getByRole('radio', { name: 'Persona' }));
    expect(screen.getByText('You are Andiron.')).toBeDefined();
  });
});

it('a persona costs the open session what a prompt does, a text for subagents nothing', async () => {
  const { user } = await openPane({ first: { page: 'prompts', prompt: 'Persona' } });
  await user.type(screen.getByRole('textbox', { name: 'Persona' }), 'You are Ada.');
  expect(screen.getByText(new RegExp(price))).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Subagents' }));
  await user.type(screen.getByRole('textbox', { name: 'Subagents' }), 'You help.');
  expect(screen.queryByText(new RegExp(price))).toBeNull();
  expect(screen.getByText(/Subagents read it from their next run on/)).toBeDefined();
});

describe('a flag that waits', () => {
  it('is kept while another profile is looked at', async () => {
    const { user, host } = await openPane({ first: { page: 'tools' } });
    await user.click(screen.getByRole('checkbox', { name: /^run_command/ }));
    await user.click(screen.getByRole('tab', { name: /^Writer/ }));
    await user.click(screen.getByRole('tab', { name: /^Developer/ }));
    expect(screen.getByRole('checkbox', { name: /^run_command/ })).toHaveProperty('checked', true);
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await host.asked('profile/update');
    expect(host.last('profile/update')).toMatchObject({ changes: { tools: ['read_file', 'run_command'] } });
  });

  it('is still there when the settings are opened again, and after a refusal asks again', async () => {
    const { user, host, stores, reopen } = await openPane({
      first: { profileId: 'writer', page: 'advanced' },
    });
    host.answer('profile/update', () => new Error('The disk is full.'));
    await user.click(screen.getByRole('switch', { name: 'Plan first' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
    reopen();
    expect(screen.getByRole('switch', { name: 'Plan first' }).getAttribute('aria-checked')).toBe('true');
    expect(screen.getByText('Plan first: not saved.')).toBeDefined();
    host.answer('profile/update', () => ({ profile: { ...writer, planningEnabled: true } }));
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    await host.asked('profile/update', 2);
    expect(stores.ui.getState().drafts).toEqual({});
  });

  it('says what the file says by now, and takes it where the person says so', async () => {
    const { user, told, host } = await openPane({ first: { page: 'tools' } });
    await user.click(screen.getByRole('checkbox', { name: /^run_command/ }));
    told([aProfile({ tools: ['read_file', 'jira_search'] }), writer]);
    expect(screen.getByRole('alert').textContent).toContain('Tools is now 2 tools');
    await user.click(screen.getByRole('button', { name: 'Use the file’s' }));
    expect(screen.getByRole('checkbox', { name: /^jira_search/ })).toHaveProperty('checked', true);
    expect(screen.getByRole('checkbox', { name: /^run_command/ })).toHaveProperty('checked', false);
    expect(host.count('profile/update')).toBe(0);
  });
});

describe('tools', () => {
  it('say what they do, what they may do, and what they cost', async () => {
    await openPane({ first: { page: 'tools' } });
    const run = await screen.findByRole('checkbox', { name: /^run_command/ });
    const row = run.closest('label');
    expect(row?.textContent).toContain('runs a command');
    expect(row?.textContent).toContain('about 98 tokens of every prompt');
    // Not of this version's texts: its own description stands in.
    expect(screen.getByRole('group', { name: 'Others' }).textContent).toContain('Search tickets.network');
  });

  it('cost with the texts what is read before the first word', async () => {
    await openPane({ first: { page: 'tools' } });
    // 96 of read_file; persona and prompt have 36 characters.
    expect(await screen.findByText(/^about 105/)).toBeDefined();
  });
});

describe('models', () => {
  const models = ['qwen3:8b', 'gone:1b', 'llama3:8b'];

  it('are moved by buttons that keep the keyboard, down to the end', async () => {
    const { user, host } = await openPane({
      first: { profileId: 'writer', page: 'model' },
      profiles: [aProfile(), { ...writer, models }],
    });
    screen.getByRole('button', { name: 'Move qwen3:8b down' }).focus();
    await user.keyboard('{Enter}');
    await host.asked('profile/update');
    expect(host.last('profile/update')).toMatchObject({
      changes: { models: ['gone:1b', 'qwen3:8b', 'llama3:8b'] },
    });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move qwen3:8b down');
    expect(screen.getByText('qwen3:8b is number 2 of 3')).toBeDefined();
  });

  it('are added by a name that is not installed', async () => {
    const { user, host } = await openPane({ first: { profileId: 'writer', page: 'model' } });
    await user.click(screen.getByRole('button', { name: 'Add a model' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Another name' }));
    const field = await screen.findByRole('textbox', { name: 'Name of a model' });
    await user.type(field, 'two words');
    expect(screen.getByText(/without spaces/)).toBeDefined();
    await user.clear(field);
    await user.type(field, 'hf.co/owner/model:q4{Enter}');
    await host.asked('profile/update');
    expect(host.last('profile/update')).toMatchObject({
      changes: { models: ['qwen3:8b', 'hf.co/owner/model:q4'] },
    });
  });
});

it('the file is shown as it stands, with its folder and what differs', async () => {
  await openPane({
    first: { profileId: 'writer', page: 'file' },
    profiles: [aProfile(), { ...writer, maxIterations: 7, sampling: { temperature: 0.4 } }],
  });
  expect(await screen.findByText('/profiles/writer')).toBeDefined();
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(
    rows.map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toEqual([[], ['Temperature', '0.4', 'from model'], ['Max steps', '7', '20']]);
  expect(screen.getByRole('group', { name: /profile\.json/ }).textContent).toContain('"name": "Writer"');
});
