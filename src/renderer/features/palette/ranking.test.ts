import { describe, expect, it } from 'vitest';
import { match } from './match.ts';
import { rank, type Entry } from './ranking.ts';

const names = (typed: string, all: string[], recent: string[] = []): string[] =>
  rank(all.map(command), typed, recent).flatMap(({ ranked }) => ranked.map(({ entry }) => entry.name));
const command = (name: string): Entry => ({ id: name, group: 'commands', name, why: null });
/** The name with its marked letters in brackets. */
const marked = (typed: string, name: string): string => {
  const marks = match(typed, name)?.marks ?? [];
  return Array.from(name, (letter, at) => (marks.includes(at) ? `[${letter}]` : letter)).join('');
};

describe('what was typed', () => {
  it('is better at the beginning than at a word, and there better than inside one', () => {
    expect(names('set', ['Reset the context', 'Import settings', 'Settings'])).toEqual([
      'Settings',
      'Import settings',
      'Reset the context',
    ]);
  });

  it('may be initials', () => {
    expect(names('ns', ['Engine room', 'Session notes', 'New session'])[0]).toBe('New session');
    expect(marked('ns', 'New session')).toBe('[N]ew [s]ession');
  });

  it('may be words in any order, each of them somewhere', () => {
    expect(names('theme dark', ['Dark theme', 'Light theme', 'Theme of the system'])).toEqual(['Dark theme']);
    expect(names('gpu free', ['Free the GPU', 'Take the GPU back'])).toEqual(['Free the GPU']);
  });

  it('may leave letters out, but not so many that anything matches', () => {
    expect(marked('setgs', 'Settings')).toBe('[S][e][t]tin[g][s]');
    expect(match('sgs', 'Show or hide the sessions of long ago')).toBeNull();
  });

  it('is found without regard to case and accents, and marked where it is', () => {
    expect(marked('uber', 'Tests für Übergaben')).toBe('Tests für [Ü][b][e][r]gaben');
    expect(match('Ü', 'ubuntu')?.marks).toEqual([0]);
  });

  it('may stand beside the name, where nothing is marked', () => {
    expect(match('kiln', 'Flaky lease test', '/home/ada/kiln')?.marks).toEqual([]);
    expect(match('kiln notes', 'Flaky lease test', '/home/ada/kiln')).toBeNull();
  });

  it('stands beside the name as the beginning of a word, or long enough to be meant', () => {
    expect(match('rk', 'Stop the turn', 'cancel work')).toBeNull();
    expect(match('wo', 'Stop the turn', 'cancel work')?.marks).toEqual([]);
    expect(match('ject', 'Flaky lease test', '/home/ada/myproject')?.marks).toEqual([]);
  });

  it('takes signs as they are, and is no expression', () => {
    expect(match('.*', 'Settings')).toBeNull();
    expect(match('(', 'Sessions (old)')?.marks).toEqual([9]);
  });
});

describe('what was run lately', () => {
  it('comes before what matches as well, and not before what matches better', () => {
    const all = ['Show older messages', 'Show newer messages'];
    expect(names('show', all, ['Show newer messages'])[0]).toBe('Show newer messages');
    expect(names('sett', ['Settings', 'Import settings'], ['Import settings'])[0]).toBe('Settings');
  });

  it('stands first, once, where nothing is typed', () => {
    const groups = rank([command('A'), command('B')], '', ['B', 'gone']);
    expect(groups.map(({ key, ranked }) => [key, ranked.map(({ entry }) => entry.name)])).toEqual([
      ['recent', ['B']],
      ['commands', ['A']],
    ]);
  });
});

describe('the list', () => {
  const lease: Entry = { id: 's', group: 'sessions', name: 'Lease notes', why: null };
  const off: Entry = { ...command('Regenerate'), why: 'No session is open.' };

  it('has of what cannot be run only what is named, behind the rest', () => {
    expect(rank([off, command('Register')], '', [])[0]?.ranked).toHaveLength(1);
    expect(rank([off], 're', [])).toEqual([]);
    const found = rank([off, command('Rename the regent')], 'reg', []);
    expect(found[0]?.ranked.map(({ entry }) => entry.name)).toEqual(['Rename the regent', 'Regenerate']);
  });

  it('has groups in the order of their best, and commands alone behind a >', () => {
    const all = [command('Release the model'), lease];
    expect(rank(all, 'lease', []).map(({ key }) => key)).toEqual(['sessions', 'commands']);
    expect(rank(all, '> lease', []).map(({ key }) => key)).toEqual(['commands']);
    expect(rank(all, '>', []).map(({ key }) => key)).toEqual(['commands']);
  });

  it('is never longer than one frame has room for', () => {
    const sessions = Array.from({ length: 200 }, (_, at) => ({
      ...lease,
      id: `s${at}`,
      name: `Lease ${at}`,
    }));
    const models = Array.from({ length: 60 }, (_, at): Entry => ({
      id: `m${at}`,
      group: 'models',
      name: `Model: lease${at}`,
      why: null,
    }));
    const count = (typed: string): number =>
      rank([...sessions, ...models], typed, []).flatMap(({ ranked }) => ranked).length;
    expect(count('lease')).toBe(60);
    expect(count('')).toBeLessThan(20);
  });
});
