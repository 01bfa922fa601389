import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultsFrom } from './environment-defaults.ts';
import { profileHome, type ProfileHome } from './testing.ts';

describe('the limits of the stream guard in the environment', () => {
  it('both variables are read as seconds (audit-A10, H3)', () => {
    const env = { LLM_STREAM_FIRST_CHUNK_TIMEOUT: '300', LLM_STREAM_CHUNK_TIMEOUT: ' 7.5 ', PATH: '/bin' };
    expect(defaultsFrom(env)).toEqual({
      defaults: { firstTokenTimeoutS: 300, idleTokenTimeoutS: 7.5 },
      problems: [],
    });
  });

  it.each([{}, { LLM_STREAM_CHUNK_TIMEOUT: '' }, { LLM_STREAM_FIRST_CHUNK_TIMEOUT: undefined }])(
    'a variable that says nothing changes nothing: %j (audit-A10)',
    (env) => {
      expect(defaultsFrom(env)).toEqual({ defaults: {}, problems: [] });
    },
  );

  it.each(['0', '-5', '0.5', '86401', '1e3', '0x10', 'NaN', 'Infinity', '60s', '60 000', '٦٠', '\u0000'])(
    'the value "%s" is refused with its name and what to set (audit-A10)',
    (value) => {
      const { defaults, problems } = defaultsFrom({ LLM_STREAM_CHUNK_TIMEOUT: value });
      expect(defaults).toEqual({});
      expect(problems).toEqual([
        expect.stringMatching(/^LLM_STREAM_CHUNK_TIMEOUT is .*: set it to seconds/s),
      ]);
    },
  );

  it.each(['1', '86400'])('the bound %s itself is taken (audit-A10)', (value) => {
    const { defaults } = defaultsFrom({ LLM_STREAM_FIRST_CHUNK_TIMEOUT: value });
    expect(defaults).toEqual({ firstTokenTimeoutS: Number(value) });
  });
});

describe('profiles under such defaults', () => {
  let home: ProfileHome;
  beforeAll(async () => void (home = await profileHome()));
  afterAll(() => home.remove());

  it('a profile has them where its file says nothing, and keeps what it says (audit-A10)', async () => {
    const file = { name: 'Any', tools: [] };
    await home.write('built-in', 'silent', file, 'Hi.');
    await home.write('built-in', 'own', { ...file, idleTokenTimeoutS: 60 }, 'Hi.');
    const profiles = await home.open({ defaults: { firstTokenTimeoutS: 300, idleTokenTimeoutS: 7 } });
    expect(profiles.get('silent')).toMatchObject({ firstTokenTimeoutS: 300, idleTokenTimeoutS: 7 });
    expect(profiles.get('own')).toMatchObject({ firstTokenTimeoutS: 300, idleTokenTimeoutS: 60 });
  });

  it('a change back to the built-in number is written down, as it is no longer the default (audit-A10)', async () => {
    await home.write('built-in', 'edited', { name: 'Any', tools: [] }, 'Hi.');
    const profiles = await home.open({ defaults: { firstTokenTimeoutS: 300 } });
    expect(await profiles.update('edited', { firstTokenTimeoutS: 120 })).toMatchObject({
      firstTokenTimeoutS: 120,
    });
    expect((await profiles.files('edited')).json).toContain('"firstTokenTimeoutS": 120');
    expect(await profiles.update('edited', { firstTokenTimeoutS: 300 })).toMatchObject({
      firstTokenTimeoutS: 300,
    });
    expect((await profiles.files('edited')).json).not.toContain('firstTokenTimeoutS');
  });
});
