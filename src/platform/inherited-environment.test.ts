import { describe, expect, test } from 'vitest';
import { inheritedEnvironment } from './inherited-environment.ts';

describe('On Windows a command is told (desk-F8)', () => {
  test.each([
    'USERNAME',
    'USERDOMAIN',
    'PUBLIC',
    'ALLUSERSPROFILE',
    'CommonProgramFiles',
    'CommonProgramFiles(x86)',
    'CommonProgramW6432',
    'ProgramFiles(x86)',
    'SystemRoot',
    'Path',
    'PathExt',
    'LocalAppData',
  ])('%s, in capitals or not', (name) => {
    for (const written of [name, name.toUpperCase(), name.toLowerCase()])
      expect(inheritedEnvironment({ [written]: 'value' })).toEqual({ [written]: 'value' });
  });
});

test.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO', 'PIP_CERT'])(
  'A command is told where the certificates of its network are: %s',
  (name) => {
    expect(inheritedEnvironment({ [name]: '/etc/company.pem' })).toEqual({ [name]: '/etc/company.pem' });
  },
);

describe('A command is never told', () => {
  test.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'NODE_OPTIONS',
    'ELECTRON_RUN_AS_NODE',
    'USERNAMES',
    'MY_PATH',
    'PUBLIC_KEY',
  ])('%s', (name) => {
    expect(inheritedEnvironment({ [name]: 'value' })).toEqual({});
  });
});
