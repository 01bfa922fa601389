import { describe, expect, it } from 'vitest';
import type { SessionStatus } from '../../protocol/model.ts';
import { aSession } from '../testing/fixtures.ts';
import { attentionAfter, type Attention } from './attention.ts';

const nothing: Attention = { working: [], unread: [] };

const sessions = (...statuses: SessionStatus[]) =>
  statuses.map((status, at) => aSession({ id: `s${at}`, status }));

describe('a session that ended its turn', () => {
  const working = attentionAfter(nothing, sessions('running', 'asking', 'idle'), 's2');

  it('is unread until it is opened', () => {
    const ended = attentionAfter(working, sessions('idle', 'failed', 'idle'), 's2');
    expect(ended).toEqual({ working: [], unread: ['s0', 's1'] });
    expect(attentionAfter(ended, sessions('idle', 'failed', 'idle'), 's1').unread).toEqual(['s0']);
  });

  it('is read where it is open, and while its turn goes on', () => {
    expect(attentionAfter(working, sessions('idle', 'running', 'idle'), 's0').unread).toEqual([]);
  });

  it('is unread also when no window saw the end', () => {
    const kept = JSON.parse(JSON.stringify(working)) as typeof working;
    expect(attentionAfter(kept, sessions('idle', 'asking'), null).unread).toEqual(['s0']);
  });

  it('is forgotten with its session, and told once', () => {
    const once = attentionAfter(working, sessions('idle', 'idle'), null);
    const twice = attentionAfter({ ...once, working: ['s0'] }, sessions('idle', 'idle'), null);
    expect(twice.unread).toEqual(['s0', 's1']);
    expect(attentionAfter(once, [], null)).toEqual(nothing);
  });

  it('changes nothing that is told again', () => {
    expect(attentionAfter(working, sessions('running', 'asking', 'idle'), 's2')).toBe(working);
  });
});
