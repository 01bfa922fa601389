import { expect, test } from 'vitest';
import { srtPolicy } from './srt-policy.ts';

const policy = {
  hidden: ['/home'],
  readable: ['/home/ann/.nvm/bin'],
  writable: ['/home/ann/work', '/home/ann/work/.git'],
  readOnly: ['/home/ann/work/.git/hooks'],
  masked: [{ path: '/home/ann/work/.ssh', isFolder: true }],
  proxy: null,
};

test('what is hidden or masked cannot be read, and of the folder all but hooks and masks can be written', () => {
  expect(srtPolicy(policy)).toEqual({
    readConfig: {
      denyOnly: [],
      literalDenyOnly: ['/home', '/home/ann/work/.ssh'],
      literalAllowWithinDeny: [
        '/home/ann/work',
        '/home/ann/work/.git',
        '/home/ann/work/.git/hooks',
        '/home/ann/.nvm/bin',
      ],
    },
    writeConfig: {
      allowOnly: [],
      literalAllowOnly: ['/home/ann/work', '/home/ann/work/.git'],
      denyWithinAllow: [],
      literalDenyWithinAllow: ['/home/ann/work/.git/hooks', '/home/ann/work/.ssh'],
    },
  });
});

test.each(['hidden', 'writable', 'readOnly', 'readable', 'masked'] as const)(
  'a name with a control character in %s is refused: a rule about it would be about nothing',
  (list) => {
    const odd = '/home/ann/work/a\u0007b';
    const names = list === 'masked' ? [{ path: odd, isFolder: false }] : [odd];
    expect(() => srtPolicy({ ...policy, [list]: names })).toThrow('control character');
  },
);
