import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { threadMs } from '../../test/helpers/thread-time.ts';
import { maskKeys } from './key-formats.ts';

/** Put together here, so that no scanner takes them for real ones. */
const made = (length: number): string => 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'.repeat(3).slice(0, length);
const marked = (name: string): string => `-----BEGIN ${name}-----`;
const body = made(64);
const masked = (text: string): string => maskKeys(text).text;

describe('What is secret of it is hidden, and the rest can be read', () => {
  test.each([
    ['ghp_', made(36), ' of the bot'],
    ['github_pat_', made(40), ''],
    ['glpat-', made(20), ''],
    ['sk-', `proj-${made(40)}`, ''],
    ['AIza', made(35), ''],
    ['xoxb-', made(30), ''],
    ['hf_', made(34), ''],
    ['npm_', made(36), ''],
    ['Authorization: Bearer ', made(30), '\nAccept: */*'],
    ['postgres://anna:', 'hunter2', '@db.example/shop'],
    ['DB_PASSWORD=', 'hunter22', '\nDB_HOST=db'],
    ['export API_TOKEN="', made(12), '"'],
    ['{"user":"anna","password":"', 'swordfish', '"}'],
    ["api_key: '", made(12), "'"],
    [String.raw`{"body":"{\"client_secret\":\"`, made(12), String.raw`\"}"}`],
  ])('%s', (before, secret, after) => {
    expect(maskKeys(before + secret + after)).toEqual({ text: `${before}••••••••${after}`, count: 1 });
  });

  test('an AWS access key', () => {
    expect(masked(`AKIA${made(16).toUpperCase()} for backups`)).toBe('AKIA•••••••• for backups');
  });

  test('a private key, line by line', () => {
    const name = 'RSA PRIVATE KEY';
    const text = `before\n${marked(name)}\n${body}\n${body}\n-----END ${name}-----\nafter`;
    expect(masked(text)).toBe(`before\n${marked(name)}\n••••••••\n••••••••\n-----END ${name}-----\nafter`);
  });

  test('a private key that is cut off', () => {
    expect(masked(`${marked('PRIVATE KEY')}\n${body}`)).toBe(`${marked('PRIVATE KEY')}\n••••••••`);
  });

  test('two in one line', () => {
    const text = `sk-${made(20)} and ghp_${made(36)}`;
    expect(maskKeys(text)).toEqual({ text: 'sk-•••••••• and ghp_••••••••', count: 2 });
  });
});

describe('What is no key stays as it is', () => {
  test.each([
    'const password = getPassword();',
    'interface Login { password: string; token: string }',
    '{ kind: "token", text: "identifier" }',
    'PASSWORD=$SECRET_FROM_VAULT',
    'PASSWORD=<your password>',
    'API_KEY=${{ secrets.API_KEY }}',
    'commit d41d8cd98f00b204e9800998ecf8427ed41d8cd9',
    'integrity: sha512-abcdefghijklmnopqrstuvwxyz0123456789==',
    'npm_config_update_notifier=false',
    'https://example.org/~anna/notes?id=12',
    'git@github.com:andiron/andiron.git',
    `${marked('PUBLIC KEY')}\n${body}`,
    'sk-learn and pk-ing',
    '',
  ])('%s', (text) => {
    expect(maskKeys(text)).toEqual({ text, count: 0 });
  });
});

const piece = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '\n',
    ' ',
    '"',
    '-----BEGIN PRIVATE KEY-----\n',
    'ghp_',
    'sk-',
    'PASSWORD=',
    'password: "',
    '://a:b@',
    made(40),
  ),
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

test('There are as many lines as before, and all that is not hidden stands where it stood', () => {
  fc.assert(
    fc.property(text, (given) => {
      const { text: once, count } = maskKeys(given);
      expect(once.split('\n').length).toBe(given.split('\n').length);
      expect(count === 0).toBe(once === given);
      const { text: inPlace } = maskKeys(given, true);
      expect(inPlace.length).toBe(given.length);
      for (let at = 0; at < given.length; at += 1) expect(['•', given[at]]).toContain(inPlace[at]);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['headers of private keys', `${marked('PRIVATE KEY')}${made(20)}`],
  ['headers without a key', marked('PRIVATE KEY')],
  ['beginnings of keys', 'sk-a'],
  ['addresses', 'a://b:c'],
  ['names', 'password'],
  ['names with a value', 'password:"'],
  ['blanks', ' \t'],
  ['letters', 'a'],
])('A megabyte of %s takes no time that a person would notice', (_what, unit) => {
  const given = unit.repeat(Math.ceil(1_000_000 / unit.length));
  const began = threadMs();
  maskKeys(given);
  // Squared, each would take minutes.
  expect(threadMs() - began).toBeLessThan(5_000);
});
