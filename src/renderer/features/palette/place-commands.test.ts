import { expect, it } from 'vitest';
import { commandsOf, placeOf } from './place-commands.ts';

const sessions = ['asking', 'running', 'queued', 'idle', 'failed'].map((status) => ({ id: status, status }));

it.each([
  ['a question waits in the open session', 'session', 'asking', 'asking'],
  ['a turn runs', 'session', 'running', 'working'],
  ['a turn waits for the GPU', 'session', 'queued', 'working'],
  ['the open session is at rest', 'session', 'idle', 'session'],
  ['its last turn failed', 'session', 'failed', 'session'],
  ['nothing was said yet', 'session', null, 'begun'],
  ['the settings are open', 'settings', 'running', 'settings'],
  ['the page about slowness is open', 'slow', 'idle', 'slow'],
] as const)('the place of the palette where %s', (_, view, openSessionId, place) => {
  expect(placeOf({ view, openSessionId, sessions })).toBe(place);
});

/** Behind what is only possible while something waits for it. */
const first = (place: 'asking' | 'working') =>
  commandsOf(place).find((id) => !id.startsWith('engine/') && !/cancel|retry/.test(id));

it('a question is answered first where one waits, and stopping comes first where a turn runs', () => {
  expect([first('asking'), first('working')]).toEqual(['approval/focus', 'turn/stop']);
});
