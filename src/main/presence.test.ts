/** An Andiron that a command started: no window, until a person opens one or nobody uses it any longer. */
import { beforeEach, describe, expect, test } from 'vitest';
import { becomesReady, host, last, page, settled, useDesktop } from '../../test/helpers/desktop-app.ts';
import { app, electron } from '../../test/helpers/electron-stub.ts';
import { skippableClock, type SkippableClock } from '../../test/helpers/skippable-clock.ts';
import type { DesktopDeps } from './app.ts';

const { start } = useDesktop();
let clock: SkippableClock;
beforeEach(() => {
  clock = skippableClock();
});

const minute = 60_000;
const opens = (handedOver: object = {}): boolean =>
  app.emit('second-instance', {}, [], '/', { workspace: null, demo: false, ...handedOver });
const programs = (count: number): boolean => host().emit('message', { type: 'clients', count });
const posted = (): string[] => host().posted.map(({ message }) => (message as { type: string }).type);
const isAskedToStop = (): boolean => posted().includes('stop');

function startUnseen(kind: DesktopDeps['kind'] = 'background', platform: NodeJS.Platform = 'linux') {
  const engine = start(platform, { kind, clock });
  becomesReady();
  return engine;
}

test('In the background there is a host, and neither window nor tray (Y8)', () => {
  startUnseen();
  expect([electron.utilities.length, electron.windows.length, electron.trays.length]).toEqual([1, 0, 0]);
});

describe('in the background', () => {
  test('Andiron ends once the last program has gone, and not between two commands (Y8)', async () => {
    const engine = startUnseen();
    programs(1);
    clock.skip(10 * minute);
    programs(0);
    clock.skip(2_000);
    programs(1);
    clock.skip(10 * minute);
    expect(isAskedToStop()).toBe(false);
    programs(0);
    clock.skip(3_100);
    expect(isAskedToStop()).toBe(true);
    host().emit('exit', 0);
    await settled();
    expect([app.ended, engine.stopped, electron.questions]).toEqual([true, 1, []]);
  });

  test('Andiron ends where the program that wanted it never comes (Y8)', () => {
    startUnseen();
    clock.skip(59_000);
    expect(isAskedToStop()).toBe(false);
    clock.skip(1_100);
    expect(isAskedToStop()).toBe(true);
  });

  test('Nobody is asked whether a turn may be stopped: nobody sees it (desk-F14)', async () => {
    startUnseen();
    host().emit('message', { type: 'activity', runningTurns: 1 });
    app.quit();
    await settled();
    expect([electron.questions, isAskedToStop()]).toEqual([[], true]);
  });

  test('A host that cannot start ends Andiron without a box on the screen (desk-F12)', async () => {
    start('linux', { kind: 'background', clock });
    host().emit('message', { type: 'failed', message: 'The folder is in use.', advice: 'Close the other.' });
    host().emit('exit', 0);
    await settled();
    expect([app.exitCode, electron.errorBoxes]).toEqual([1, []]);
  });

  test('A second command opens no window', () => {
    startUnseen();
    opens({ background: true });
    expect(electron.windows).toEqual([]);
  });
});

describe('a person who opens Andiron while it is in the background', () => {
  test('has a window and a tray, and a schedule that begins (Y8)', () => {
    startUnseen();
    programs(1);
    opens();
    expect([
      electron.windows.length,
      electron.trays.length,
      posted().filter((type) => type === 'stay'),
    ]).toEqual([1, 1, ['stay']]);
  });

  test('keeps it: it does not end with the last program (Y8)', () => {
    startUnseen();
    programs(1);
    opens();
    programs(0);
    clock.skip(10 * minute);
    expect(isAskedToStop()).toBe(false);
  });

  test('keeps it also where the program that wanted it has not come yet (Y8)', () => {
    startUnseen();
    opens();
    clock.skip(10 * minute);
    expect(isAskedToStop()).toBe(false);
  });

  test('is asked like anybody else before a turn is stopped (desk-P9)', async () => {
    startUnseen();
    opens();
    page().show();
    host().emit('message', { type: 'activity', runningTurns: 1 });
    page().close();
    await settled();
    expect(electron.questions).toHaveLength(1);
  });

  test('has one tray, however often they open it', () => {
    startUnseen();
    opens();
    opens();
    expect([electron.windows.length, electron.trays.length]).toEqual([1, 1]);
  });

  test('gets another Andiron where this one can open no window (Y8)', async () => {
    startUnseen('displayless');
    programs(1);
    opens();
    expect([electron.windows.length, isAskedToStop()]).toEqual([0, true]);
    host().emit('exit', 0);
    await settled();
    expect(app.ended).toBe(true);
  });
});

test('With a window from the start, programs that come and go end nothing', () => {
  startUnseen('window');
  programs(1);
  programs(0);
  clock.skip(10 * minute);
  expect([isAskedToStop(), last(electron.trays).destroyed]).toEqual([false, false]);
});
