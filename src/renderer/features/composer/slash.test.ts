import { describe, expect, it, vi } from 'vitest';
import { anItem, aProfile } from '../../testing/fixtures.ts';
import { openTestWindow } from '../../testing/window-kit.tsx';
import { readSlash, slashOptions, type SlashContext, type SlashOption } from './slash.ts';

async function context(over: Partial<SlashContext> = {}): Promise<SlashContext> {
  const { commands, stores } = await openTestWindow();
  stores.ui.setState({ openSessionId: over.sessionId ?? null });
  return {
    registry: commands.registry,
    sessionId: null,
    busy: false,
    summary: null,
    profiles: [aProfile(), aProfile({ id: 'writer', name: 'Writer' })],
    profileId: 'developer',
    models: [
      { name: 'qwen3:8b', help: 'Tools', meta: 'warm' },
      { name: 'llama3:8b', help: 'Tools', meta: 'loads 6.0 GB' },
    ],
    chosenModel: null,
    prompts: [],
    ...over,
  };
}

const labels = (options: SlashOption[]): string[] => options.map(({ label }) => label);

async function written(draft: string, over: Partial<SlashContext> = {}): Promise<SlashOption[]> {
  const read = readSlash(draft);
  return read ? slashOptions(read, await context(over)) : [];
}

describe('a command that is written', () => {
  it('is all of the text, on one line', () => {
    expect(readSlash('/')).toEqual({ name: '', words: null });
    expect(readSlash('/model')).toEqual({ name: 'model', words: null });
    expect(readSlash('/model ')).toEqual({ name: 'model', words: '' });
    expect(readSlash('/model qwen 3')).toEqual({ name: 'model', words: 'qwen 3' });
    expect(readSlash('see /model')).toBeNull();
    expect(readSlash('/new\nline')).toBeNull();
  });

  it('is found by how it begins, then by other words for it', async () => {
    expect(labels(await written('/re'))).toEqual(['/reset', '/rename']);
    expect(labels(await written('/clear'))).toEqual(['/reset']);
    expect((await written('/')).length).toBeGreaterThan(11);
  });

  it('is text when nothing is called so', async () => {
    expect(await written('/home/ada/notes')).toEqual([]);
    expect(await written('/unknown word')).toEqual([]);
  });

  it('says why it cannot run', async () => {
    const [fork] = await written('/fork');
    expect(fork?.why).toBe('No session is open.');
    const [undo] = await written('/undo');
    expect(undo?.why).toBe('There is no summary to undo.');
    const [busy] = await written('/undo', { summary: anItem('summary'), busy: true });
    expect(busy?.why).toBe('A turn is running.');
    const [compact] = await written('/compact', { sessionId: 's1', busy: true });
    expect(compact?.why).toBe('A turn is running.');
    const [rename] = await written('/rename Better', { sessionId: null });
    expect(rename?.why).toBe('No session is open.');
  });

  it('takes nothing after it where it means nothing', async () => {
    const [plain] = await written('/new please');
    expect(plain?.why).toContain('Takes nothing after it');
  });
});

describe('a command with words', () => {
  it('is completed first, and then lists what it can mean', async () => {
    const [model] = await written('/mod');
    expect(model).toMatchObject({ label: '/model', completes: '/model ' });
    expect(labels(await written('/model '))).toEqual(['auto', 'qwen3:8b', 'llama3:8b']);
    expect(labels(await written('/model QWEN'))).toEqual(['qwen3:8b']);
    expect(labels(await written('/profile wri'))).toEqual(['Writer']);
  });

  it('is not sent as text when nothing matches', async () => {
    const [none] = await written('/model gpt');
    expect(none?.why).toContain('Nothing matches “gpt”');
  });

  it('runs the command of the registry with what was chosen', async () => {
    const run = vi.fn<(id: string, params?: unknown) => Promise<boolean>>(async () => true);
    const [model] = await written('/model llama');
    await model?.run(run);
    expect(run).toHaveBeenLastCalledWith('session/set-model', { model: 'llama3:8b' });
    const [profile] = await written('/profile writer');
    await profile?.run(run);
    expect(run).toHaveBeenLastCalledWith('session/set-profile', { profileId: 'writer' });
    const [auto] = await written('/model auto', { chosenModel: 'qwen3:8b' });
    await auto?.run(run);
    expect(run).toHaveBeenLastCalledWith('session/set-model', { model: null });
    const [undo] = await written('/undo', { summary: anItem('summary') });
    await undo?.run(run);
    expect(run).toHaveBeenLastCalledWith('compaction/undo', { itemId: 'i1' });
  });
});

const prompt = (server: string, name: string) => ({
  server,
  name,
  title: name,
  description: '',
  fields: [],
});

describe('a prompt of a server', () => {
  const prompts = [prompt('notes', 'plan-day'), prompt('git', 'commit'), prompt('git', 'new-branch')];

  it('A prompt is found behind the commands, by its own name or that of its server', async () => {
    expect(labels(await written('/', { prompts })).slice(-3)).toEqual([
      '/notes:plan-day',
      '/git:commit',
      '/git:new-branch',
    ]);
    expect(labels(await written('/git', { prompts }))).toEqual(['/git:commit', '/git:new-branch']);
    expect(labels(await written('/new', { prompts }))).toEqual(['/new', '/git:new-branch']);
    expect(labels(await written('/day', { prompts }))).toEqual(['/notes:plan-day']);
  });

  it('A prompt takes nothing behind its name', async () => {
    const [plain] = await written('/git:commit ', { prompts });
    expect(plain?.why).toBeNull();
    const [withWords] = await written('/git:commit all', { prompts });
    expect(withWords?.why).toContain('Takes nothing after it');
    expect(await written('/git:nothing here', { prompts })).toEqual([]);
  });
});
