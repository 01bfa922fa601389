/** A conversation of several people on another platform, with the sessions of others beside it. */
import type { SessionSnapshot, SessionSummary } from '../../protocol/model.ts';
import { openSession, sessionList } from './fixtures.ts';
import { reportStory } from './story.ts';
import { window, type Scene } from './scene.tsx';

const telegram = { platform: 'telegram', channel: 'kitchen', thread: '' };

function kitchenSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  const say = (name: string, text: string, answer: string): void => {
    const sender = { userId: `user_${name}`, name, isOneOfMany: true as const };
    story.turn(text, { sender });
    story.say({ kind: 'text', text: answer });
  };
  say('Mia', 'What do we still need for Friday?', 'Rice, two lemons and coriander.');
  say('Ben H.', 'Add oat milk, please.', 'Oat milk is on the list.');
  const session: SessionSummary = {
    ...openSession,
    title: 'What do we still need for Friday?',
    profileId: 'reader',
    place: telegram,
  };
  return story.snapshot(session);
}

const others = (now: number): SessionSummary[] => {
  const [, ...own] = sessionList(now, openSession);
  const places = [
    { ...telegram, channel: '11', person: 'Mia' },
    { ...telegram, channel: '12', person: 'A very long name that somebody chose' },
    { platform: 'api', channel: 'token', thread: 't' },
  ];
  return [
    kitchenSession(now).session,
    ...own.map((each, at) => ({ ...each, ...(places[at] && { place: places[at] }) })),
  ];
};

export const elsewhereScenes: Scene[] = [
  window('elsewhere', (now) => ({ session: kitchenSession(now), host: { sessions: others(now) } })),
];
