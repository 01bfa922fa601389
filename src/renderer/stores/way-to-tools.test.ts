import { expect, it } from 'vitest';
import type { Profile } from '../../protocol/model.ts';
import { aModel, aProfile } from '../testing/fixtures.ts';
import { wayToTools } from './derive.ts';

const able = aModel({ capabilities: ['completion', 'tools'] });
const talker = aModel({ capabilities: ['completion'] });
const unasked = aModel({ capabilities: null });
const calling = (calls: Profile['calls'], tools = ['read_file']): Profile => aProfile({ calls, tools });

it.each([
  ['calls by itself where the profile leaves it to the model', able, calling('auto'), 'own'],
  ['is steered where it has no calls of its own', talker, calling('auto'), 'fixed_form'],
  ['is steered where no profile says otherwise', talker, undefined, 'fixed_form'],
  ['is steered where the profile asks for it, whatever it can', able, calling('constrained'), 'fixed_form'],
  ['has no tools where the profile insists on calls that it has not', talker, calling('native'), 'none'],
  ['is told by what it can where the profile has no tools', talker, calling('auto', []), 'none'],
  ['is told by what it can where the profile has no tools', able, calling('constrained', []), 'own'],
  ['is not judged before the engine has said what it can', unasked, calling('constrained'), null],
])('a model %s', (_, model, profile, way) => {
  expect(wayToTools(model, profile)).toBe(way);
});
