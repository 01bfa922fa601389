import { describe, expect, test } from 'vitest';
import { secretIn } from './secrets.ts';

/** Put together here, so that no scanner takes them for real ones. */
const made = (prefix: string, length: number): string =>
  prefix + 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'.repeat(3).slice(0, length);

const marked = (name: string): string => `-----BEGIN ${name}-----`;

describe('what looks like a secret is found', () => {
  test.each([
    ['a private key', marked('OPENSSH PRIVATE KEY')],
    ['a private key', `${marked('PRIVATE KEY')}\nMIIE`],
    ['an AWS access key', `uses ${made('AKIA', 16).toUpperCase()} for backups`],
    ['a GitHub token', made('ghp_', 36)],
    ['a GitHub token', made('github_pat_', 40)],
    ['a GitLab token', made('glpat-', 20)],
    ['an API key', made('sk-proj-', 40)],
    ['an API key', made('sk_live_', 24)],
    ['a Google API key', made('AIza', 35)],
    ['a Slack token', made('xoxb-', 30)],
    ['an access token', made('hf_', 34)],
    ['a sign-in token', `${made('eyJ', 20)}.${made('eyJ', 30)}.${made('', 30)}`],
    ['a sign-in token', made('Authorization: Bearer ', 30)],
    ['an address with a password', 'postgres://anna:hunter2@db.example/shop'],
    ['a password', 'the password is hunter2'],
    ['a password', 'Passwort: Sommerregen'],
    ['a password', 'PIN is 4711'],
    ['a card number', 'pays with 4111 1111 1111 1111'],
    ['a key or password', made('', 30)],
    ['a key or password', 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('%s: %s', (kind, text) => {
    expect(secretIn(text)).toBe(kind);
  });

  test.each([
    'password',
    'wifi_password',
    'passwort',
    'pin',
    'api_key',
    'github_token',
    'ssh_key',
    'recovery_codes',
  ])('whatever the value, where the name is %s', (name) => {
    expect(secretIn('swordfish', name)).toBe('a password or key');
  });
});

describe('what is no secret stays', () => {
  test.each([
    ['editor', 'Neovim with lazy.nvim'],
    ['password_manager', 'Bitwarden'],
    ['token_limit', '4096'],
    ['keyboard', 'German layout, uses the Compose key'],
    ['passwords', 'are kept in Bitwarden'],
    ['login', 'the password is stored in the keychain'],
    ['folder', '/home/anna/Projects2024/MyCompany/andiron-3/src'],
    ['site', 'https://example.org/~anna/notes?id=12'],
    ['phone', '+49 89 1234567'],
    ['birthday', '1990-05-03'],
    ['library', 'scikit sk-learn-contrib-estimators'],
    ['class', 'MyReactComponentFactoryProviderImplementation2'],
    ['machine', 'AMD Ryzen 9 7950X3D, 64 GB, RTX 4090'],
    ['wife', 'Anna, likes orchids; the secret is patience'],
    ['session', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  ])('%s = %s', (name, text) => {
    expect(secretIn(text, name)).toBeNull();
  });
});
