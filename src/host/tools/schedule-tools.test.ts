import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import type { ScheduleAccess } from './schedule-access.ts';
import { noSchedule, workbench } from './testing.ts';

const call = async (tool: string, args: unknown, schedule: Partial<ScheduleAccess> = {}) => {
  const bench = workbench(undefined, { schedule: { ...noSchedule, ...schedule } });
  const result = await bench.call(tool, args);
  bench.remove();
  return result;
};
const job = { name: 'News', task: 'Read the news.' };

test.each([
  ['no time at all', {}],
  ['two of them', { at: '2026-11-29T07:00', cron: '0 7 * * *' }],
  ['a time that is none', { at: 'tomorrow' }],
  ['no minutes', { every_minutes: 0 }],
])('schedule_add with %s is refused, and nothing is planned', async (_what, more) => {
  let added = 0;
  const schedule = {
    readTime: () => null,
    add: () => {
      added += 1;
      return Promise.reject(new Error('not here'));
    },
  };
  expect((await call('schedule_add', { ...job, ...more }, schedule)).ok).toBe(false);
  expect(added).toBe(0);
});

const add = () =>
  Promise.reject(
    new AndironError('invalid_params', 'This time never comes.', 'Choose a time in the future.'),
  );

test('schedule_add says what Andiron refuses, and what to do', async () => {
  const result = await call('schedule_add', { ...job, at: '2020-01-01T07:00' }, { add });
  expect(result).toMatchObject({ ok: false });
  expect(result.content).toContain('This time never comes.');
});

test('The question of schedule_add shows the whole task and when, and is far from the folder', () => {
  const bench = workbench();
  const { need } = bench.parse('schedule_add', { ...job, every_minutes: 30 });
  bench.remove();
  expect(need).toMatchObject({ risk: 'write', scopes: ['once'], farEffect: { kind: 'schedule' } });
  expect(need.summary).toBe('Schedule “News” every 30 minutes:\nRead the news.');
  expect(need.farEffect?.target).toContain('Read the news.');
});

const list = () => [{ id: 'job_7', ...job, next: '2026-11-28T07:00 (UTC)' }];

test('schedule_list and schedule_cancel name jobs by their ids', async () => {
  expect((await call('schedule_list', {}, { list })).content).toBe(
    'job_7: News, next 2026-11-28T07:00 (UTC)',
  );
  expect((await call('schedule_list', {})).content).toBe('Nothing is scheduled.');
  expect(await call('schedule_cancel', { id: 'job_7' })).toMatchObject({
    ok: true,
    content: 'Removed job_7.',
  });
});
