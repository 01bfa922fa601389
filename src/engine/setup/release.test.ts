import { expect, test } from 'vitest';
import { checksumOf, releaseFor, releasesUrl } from './release.ts';

test.each([
  ['linux', 'x64', 'ollama-linux-amd64.tar.zst'],
  ['linux', 'arm64', 'ollama-linux-arm64.tar.zst'],
  ['darwin', 'arm64', 'ollama-darwin.tgz'],
  ['darwin', 'x64', 'ollama-darwin.tgz'],
  ['win32', 'x64', 'ollama-windows-amd64.zip'],
  ['win32', 'arm64', 'ollama-windows-arm64.zip'],
] as const)('on %s %s it is %s', (platform, arch, asset) => {
  expect(releaseFor({ platform, arch }, releasesUrl)).toMatchObject({
    asset,
    version: '0.40.2',
    url: `https://github.com/ollama/ollama/releases/download/v0.40.2/${asset}`,
    checksumsUrl: 'https://github.com/ollama/ollama/releases/download/v0.40.2/sha256sum.txt',
  });
});

test.each([
  ['freebsd', 'x64'],
  ['linux', 'ia32'],
] as const)('for %s %s nothing is published', (platform, arch) => {
  expect(releaseFor({ platform, arch }, releasesUrl)).toBeNull();
});

const sum = 'A'.repeat(64);

test.each([
  `${sum}  ./a.tgz`,
  `${sum} *a.tgz`,
  `${sum}  a.tgz\r`,
  `${'b'.repeat(64)}  ./xa.tgz\n${sum}  a.tgz`,
])('the checksum is read from %j', (listing) => {
  expect(checksumOf(listing, 'a.tgz')).toBe('a'.repeat(64));
});

test.each(['', 'Not found', `${sum}  b.tgz`, 'abc  a.tgz', `<html>${sum}  a.tgz</html>`])(
  'in %j there is none',
  (listing) => {
    expect(checksumOf(listing, 'a.tgz')).toBeNull();
  },
);
