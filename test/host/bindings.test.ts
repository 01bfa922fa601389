/** What answers in a place of another platform: persona, profile, model, tools and the length of a reply. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { Messenger } from '../helpers/messenger.ts';

let to: Messenger;
const start = async (answers: Script): Promise<void> => {
  to = await Messenger.start({ sim: { script: answers } });
};
beforeEach(() => start(script([rule({}, reply().text('An answer.'))])));
afterEach(() => to.world.close());

describe('the persona of a place', () => {
  it('stands before the prompt of the profile, and the owner’s own sessions keep theirs (B8, P24)', async () => {
    await to.send({ channel: 'before' });
    const usual = to.head();
    await to.bind({ personaId: await to.addPersona('Ada', 'You are Ada.') });
    await to.send({ channel: 'after' });
    const [persona, prompt] = to.head().split('\n\n---\n\n');
    expect(persona).toBe('You are Ada.');
    expect(usual.endsWith(prompt ?? 'none')).toBe(true);
    const session = await to.world.openSession();
    await session.closed(await session.send('Hello.'));
    expect(to.head()).toBe(usual);
  });

  it('stays that of a conversation that has begun, whatever the place has now (P24)', async () => {
    await to.bind({ personaId: await to.addPersona('Ada', 'You are Ada.') });
    await to.send({ channel: 'c' });
    const begun = to.head();
    await to.bind({ personaId: await to.addPersona('Bob', 'You are Bob.') });
    await to.send({ channel: 'c' });
    expect(to.head()).toBe(begun);
    await to.send({ channel: 'd' });
    expect(to.head()).toMatch(/^You are Bob\./);
  });

  it('is that of the profile again once it is removed (P24)', async () => {
    const personaId = await to.addPersona('Ada', 'You are Ada.');
    await to.bind({ personaId });
    await to.send({ channel: 'c' });
    await to.rpc.call('persona/remove', { personaId });
    await to.send({ channel: 'c' });
    expect(to.head()).not.toContain('Ada');
    expect((await to.rpc.call('binding/list', {})).bindings).toMatchObject([{ personaId: null }]);
  });

  it('has a name of its own, and a text (P24)', async () => {
    const id = await to.addPersona('Ada', 'You are Ada.');
    await expect(to.addPersona('Ada', 'Another one.')).rejects.toMatchObject({ code: 'invalid_params' });
    await expect(to.addPersona('Bob', ' ')).rejects.toMatchObject({ code: 'invalid_params' });
    await to.rpc.call('persona/put', { persona: { id, name: 'Ada', text: 'You are Ada Lovelace.' } });
    expect((await to.rpc.call('persona/list', {})).personas).toEqual([
      expect.objectContaining({ id, name: 'Ada', text: 'You are Ada Lovelace.' }),
    ]);
    await expect(to.rpc.call('persona/remove', { personaId: 'gone' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the output limit of a place', () => {
  const long = Array.from({ length: 40 }, (_, n) => `word${String(n)}`).join(' ');

  it('ends an answer there, and what was cut is said to the sender (B8, Y10)', async () => {
    await to.world.close();
    await start(script([rule({}, reply().text(long))]));
    await to.bind({ maxOutputTokens: 8 });
    const { content, status } = await to.send();
    expect(to.lastBody().options.num_predict).toBe(8);
    expect(status).toBe('answered');
    expect(content).toMatch(/^word0 .*\n\n\[The answer was cut off at the output limit\.\]$/s);
    expect(content).not.toContain('word39');
  });

  it('holds for that place alone, and loads no model again (B8)', async () => {
    await to.bind({ server: 's', maxOutputTokens: 8 });
    await to.send();
    const usual = to.lastBody().options.num_predict ?? 0;
    expect(usual).toBeGreaterThan(8);
    const loads = to.world.sim.truth.loads.length;
    await to.send({ server: 's' });
    await to.send();
    expect(to.bodies().map(({ options }) => options.num_predict)).toEqual([usual, 8, expect.any(Number)]);
    expect(to.world.sim.truth.loads.length).toBe(loads);
  });
});

it('A subagent in a place has the output limit of the place (B8)', async () => {
  await to.world.close();
  const briefing = { task: 'Look.', briefing: 'Here.' };
  await start(
    script([
      rule({ user: 'Here.' }, reply().text('Seen.')),
      rule({ resultCount: 0 }, reply().toolCall('spawn_agent', briefing)),
      rule({}, reply().text('Done.')),
    ]),
  );
  await to.rpc.call('profile/update', { profileId: 'developer', changes: { tools: ['spawn_agent'] } });
  await to.bind({ maxOutputTokens: 300 });
  await to.send();
  await to.makeLevel('42', 'owner');
  const before = to.bodies().length;
  await to.send({ channel: 'of the owner' });
  const limits = to.bodies().slice(before);
  expect(limits.map(({ options }) => options.num_predict)).toEqual([300, 300, 300]);
});

describe('the model of a place', () => {
  it('is passed over for those of the profile while it is not installed (B8)', async () => {
    await to.rpc.call('profile/update', {
      profileId: 'developer',
      changes: { models: ['llama3.1:8b'] },
    });
    await to.bind({ model: 'gone:70b' });
    expect((await to.send()).status).toBe('answered');
    expect(to.lastBody().model).toBe('llama3.1:8b');
  });
});

describe('the modules of a place', () => {
  it('are refused where nobody knows them (B11)', async () => {
    await expect(to.bind({ modules: ['files', 'spaceship'] })).rejects.toMatchObject({
      code: 'invalid_params',
    });
    expect((await to.rpc.call('binding/list', {})).bindings).toEqual([]);
  });
});

describe('a model in a place', () => {
  const other = { profile_id: 'reader' };
  const none = 'there is no profile reader. The profiles are: developer.';

  it.each([
    ['is told of no other profile', 'list_profiles', {}, 'developer'],
    ['switches to no other profile', 'switch_profile', other, none],
    [
      'gives a subagent no other profile',
      'spawn_agent',
      { task: 'Look.', briefing: 'Here.', ...other },
      none,
    ],
  ])('%s, not even for the owner (P24)', async (_what, tool, args, said) => {
    await to.world.close();
    await start(
      script([rule({ resultCount: 0 }, reply().toolCall(tool, args)), rule({}, reply().text('Done.'))]),
    );
    const tools = ['list_profiles', 'switch_profile', 'spawn_agent'];
    await to.rpc.call('profile/update', { profileId: 'developer', changes: { tools } });
    await to.bind();
    await to.send();
    await to.makeLevel('42', 'owner');
    const { sessionId, status } = await to.send({ channel: 'of the owner' });
    expect(status).toBe('answered');
    const results = (await to.world.openWindow().follow(sessionId ?? '')).items('tool');
    const result = results.map((call) => call.result).join('\n');
    expect(result.replace(none, '')).not.toContain('reader');
    expect(result).toContain(said);
  });
});
