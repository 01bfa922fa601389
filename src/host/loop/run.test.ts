import { expect, it } from 'vitest';
import { settingOf, type Run } from './run.ts';

it('A run throws when it is asked for its setting before it has a model (audit-A14)', () => {
  expect(() => settingOf({ setting: undefined } as Run)).toThrow('has no model yet');
});
