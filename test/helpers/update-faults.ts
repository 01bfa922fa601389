/** What can go wrong with an update, each beside the words that a person then reads. */
import { makeKeyPair, readPrivateKey, signFeed } from '../../scripts/feed-signing.ts';
import { trustHosts } from '../../src/main/updates/fetch-update.ts';
import {
  feedName,
  feedText,
  privateKey,
  program,
  publish,
  signedAt,
  type Answer,
  type CopyOptions,
  type UpdateServer,
} from './update-server.ts';

export const filePath = '/Andiron-0.2.0.AppImage';
export const content = program('0.2.0');
export const feed = feedText('0.2.0', content);
const forever: Answer = (_request, response) => {
  const part = Buffer.alloc(16_384, 'x');
  const more = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
const silent: Answer = (_request, response) => void response.writeHead(200).write('v');
const dripping: Answer = (_request, response) => {
  response.write('v');
  const timer = setInterval(() => response.write('v'), 20);
  response.on('close', () => clearInterval(timer));
};
const redirect =
  (to: string): Answer =>
  (_request, response) =>
    void response.writeHead(302, { location: to }).end();
const cutAt =
  (bytes: number, length?: number): Answer =>
  (_request, response) => {
    if (length !== undefined) response.setHeader('content-length', length);
    response.write(content.subarray(0, bytes), () => response.destroy());
  };
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
  .split('')
  .map(
    (name, index) =>
      `${name}: &${name} [${Array(9)
        .fill(`*${'abcdefg'[index] ?? ''}`)
        .join(',')}]`,
  )
  .join('\n')}\nversion: 0.2.0\nfiles: *h\n`;
const strangeKey = readPrivateKey(makeKeyPair().privateKey);
export const before = new Date(signedAt.getTime() - 1000);

export interface UpdateFault {
  name: string;
  /** The server is honest before. */
  spoil: (server: UpdateServer) => void | Promise<void>;
  options?: Partial<CopyOptions>;
  says: RegExp;
}
const signed =
  (text: string) =>
  (server: UpdateServer): void =>
    publish(server, text);
const answers =
  (path: string, answer: Answer | string | Uint8Array) =>
  (server: UpdateServer): void =>
    void server.answers.set(path, answer);
const feedPath = `/${feedName}`;

export const updateFaults: readonly UpdateFault[] = [
  {
    name: 'there is no network',
    spoil: (server) => server.close(),
    says: /couldn't reach the update server/,
  },
  {
    name: 'the server reports an error',
    spoil: answers(feedPath, (_request, response) => void response.writeHead(503).end()),
    says: /reported an error/,
  },
  {
    name: 'the channel does not exist',
    spoil: () => {},
    options: { channel: 'nightly' },
    says: /no updates for this/,
  },
  {
    name: 'an older server has no signature',
    spoil: (server) => void server.answers.delete(`${feedPath}.sig`),
    says: /isn't signed/,
  },
  {
    name: 'the feed is signed by another key',
    spoil: (server) => publish(server, feed, { key: strangeKey }),
    says: /signature is wrong/,
  },
  {
    name: 'the signature is garbage',
    spoil: answers(`${feedPath}.sig`, '\u0000{]'),
    says: /signature is wrong/,
  },
  {
    name: 'the signature lacks its fields',
    spoil: answers(`${feedPath}.sig`, '{"file":"latest-linux.yml"}'),
    says: /signature is wrong/,
  },
  {
    name: 'the feed was changed after it was signed',
    spoil: answers(feedPath, feed.replace('0.2.0', '0.3.0')),
    says: /signature is wrong/,
  },
  {
    name: 'the time of the signature was changed',
    spoil(server) {
      const text = signFeed(feedName, Buffer.from(feed), privateKey, before);
      server.answers.set(`${feedPath}.sig`, text.replace(before.toISOString(), '2027-01-01T00:00:00.000Z'));
    },
    says: /signature is wrong/,
  },
  {
    name: 'feed and signature are those of another system',
    spoil(server) {
      publish(server, feed, { name: 'latest-mac.yml' });
      for (const end of ['', '.sig']) {
        server.answers.set(`${feedPath}${end}`, server.answers.get(`/latest-mac.yml${end}`) ?? '');
      }
    },
    says: /belongs to another system/,
  },
  {
    name: 'feed and signature are those of another channel',
    spoil(server) {
      publish(server, feed, { name: 'beta-linux.yml' });
      for (const end of ['', '.sig']) {
        server.answers.set(`${feedPath}${end}`, server.answers.get(`/beta-linux.yml${end}`) ?? '');
      }
    },
    says: /belongs to another system/,
  },
  {
    name: 'the version is older than the one that runs',
    spoil: signed(feedText('0.0.9', content)),
    says: /offers an older version/,
  },
  {
    name: 'the version is a pre-release of the one that runs',
    spoil: signed(feedText('0.1.0-beta.2', content)),
    says: /offers an older version/,
  },
  { name: 'the version is none', spoil: signed(feedText('latest', content)), says: /can't be read/ },
  { name: 'the feed is no YAML', spoil: signed('\t{{ - :'), says: /can't be read/ },
  { name: 'the feed is empty', spoil: signed(''), says: /can't be read/ },
  { name: 'the feed is a YAML bomb, signed', spoil: signed(bomb), says: /can't be read/ },
  { name: 'the feed is a YAML bomb, not signed', spoil: answers(feedPath, bomb), says: /signature is wrong/ },
  ...[
    '../../evil.AppImage',
    '/etc/evil.AppImage',
    'https://evil.example/a.AppImage',
    '..%2Fevil.AppImage',
    '"a\\nb"',
  ].map((url): UpdateFault => ({
    name: `the file is named ${url}`,
    spoil: signed(feedText('0.2.0', content, { url })),
    says: /can't be read/,
  })),
  {
    name: 'the file has no checksum',
    spoil: signed(feed.replaceAll(/ *sha512: .*\n/g, '')),
    says: /can't be read/,
  },
  {
    name: 'the file is said to be endless',
    spoil: signed(feedText('0.2.0', content, { size: 1e12 })),
    says: /can't be read/,
  },
  { name: 'the feed has no end', spoil: answers(feedPath, forever), says: /sent more than it should/ },
  {
    name: 'the signature has no end',
    spoil: answers(`${feedPath}.sig`, forever),
    says: /sent more than it should/,
  },
  {
    name: 'the feed never comes',
    spoil: answers(feedPath, silent),
    options: { limits: { smallMs: 150 } },
    says: /too slow/,
  },
  {
    name: 'the feed drips',
    spoil: answers(feedPath, dripping),
    options: { limits: { smallMs: 150 } },
    says: /too slow/,
  },
  {
    name: 'the feed breaks off',
    spoil: answers(feedPath, (_request, response) => {
      response.setHeader('content-length', feed.length);
      response.write(feed.slice(0, 40), () => response.destroy());
    }),
    says: /couldn't reach the update server/,
  },
  {
    name: 'the feed is redirected elsewhere',
    spoil: answers(feedPath, redirect('http://127.0.0.2:9/latest-linux.yml')),
    says: /pointed to an address/,
  },
  {
    name: 'the feed is redirected in a circle',
    spoil: answers(feedPath, redirect(feedPath)),
    says: /pointed to an address/,
  },
  {
    name: 'the feed comes over http where https is demanded',
    spoil: () => {},
    options: { isTrusted: trustHosts(['127.0.0.1']) },
    says: /isn't encrypted/,
  },
  {
    name: 'the file is not there',
    spoil: (server) => void server.answers.delete(filePath),
    says: /doesn't have the new version/,
  },
  {
    name: 'half of the file comes',
    spoil: answers(filePath, cutAt(150_000, content.length)),
    says: /broke off/,
  },
  {
    name: 'half of the file comes and ends politely',
    spoil: answers(filePath, content.subarray(0, 150_000)),
    says: /broke off/,
  },
  {
    name: 'another file comes with the right size',
    spoil: answers(filePath, Buffer.alloc(content.length, 'x')),
    says: /isn't the one that was signed/,
  },
  {
    name: 'the checksum of the feed is wrong',
    spoil: signed(feedText('0.2.0', content, { sha512: Buffer.alloc(64).toString('base64') })),
    says: /isn't the one that was signed/,
  },
  { name: 'the file has no end', spoil: answers(filePath, forever), says: /sent more than it should/ },
  {
    name: 'the file stops coming',
    spoil: answers(filePath, silent),
    options: { limits: { idleMs: 150 } },
    says: /too slow/,
  },
  {
    name: 'the file drips',
    spoil: answers(filePath, dripping),
    options: { limits: { wholeMs: 300 } },
    says: /too slow/,
  },
  {
    name: 'the file is redirected elsewhere',
    spoil: answers(filePath, redirect('https://evil.example/a.AppImage')),
    says: /pointed to an address/,
  },
  {
    name: 'the disk is too full',
    spoil: () => {},
    options: { freeBytes: 500_000 },
    says: /disk is too full/,
  },
];
