import { expect, test } from 'vitest';
import { releaseChecksums, releaseFor, releasesUrl } from './release.ts';

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
  });
});

test.each([
  ['freebsd', 'x64'],
  ['linux', 'ia32'],
] as const)('for %s %s nothing is published', (platform, arch) => {
  expect(releaseFor({ platform, arch }, releasesUrl)).toBeNull();
});

test.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
] as const)('the checksum of the archive for %s %s is in the source (audit-S20)', (platform, arch) => {
  const asset = releaseFor({ platform, arch }, releasesUrl)?.asset ?? '';
  expect(releaseChecksums[asset]).toMatch(/^[0-9a-f]{64}$/);
});

test('every archive has a checksum of its own, and every checksum an archive (audit-S20)', () => {
  const sums = Object.values(releaseChecksums);
  expect(new Set(sums).size).toBe(sums.length);
  const assets = ['linux', 'darwin', 'win32'].flatMap((platform) =>
    ['x64', 'arm64'].map((arch) => releaseFor({ platform: platform as NodeJS.Platform, arch }, '')?.asset),
  );
  expect(assets).toEqual(expect.arrayContaining(Object.keys(releaseChecksums)));
});
