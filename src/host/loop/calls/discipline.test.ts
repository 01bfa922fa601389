import { expect, test } from 'vitest';
import { createDiscipline, type MadeCall } from './discipline.ts';

const read = (path: string): MadeCall => ({ name: 'read_file', args: { path } });
const write: MadeCall = { name: 'write_file', args: { path: 'a', content: 'x' } };
const ok = { ok: true, content: 'text', mutates: false };
const changed = { ok: true, content: 'Created a', mutates: true };
const failed = { ok: false, content: 'Error: no such file', mutates: false };

test('must: no answer before the first call has ended', () => {
  const discipline = createDiscipline();
  expect(discipline.next(true)).toEqual({ mayCall: true, mayAnswer: false });
  discipline.ended(read('a'), failed);
  expect(discipline.next(true)).toEqual({ mayCall: true, mayAnswer: true });
  expect(createDiscipline().next(false)).toEqual({ mayCall: true, mayAnswer: true });
});

test('settle: an identical call is not run, and after two of them only an answer is left', () => {
  const discipline = createDiscipline();
  discipline.ended({ name: 'search', args: { pattern: 'x', path: 'b' } }, ok);
  expect(discipline.admit(read('b'), true)).toEqual({ run: true });
  expect(discipline.next(true).mayCall).toBe(true);
  const again = { name: 'search', args: { path: 'b', pattern: 'x' } };
  expect(discipline.admit(again, true)).toMatchObject({ run: false, why: 'repeated' });
  expect(discipline.next(true).mayCall).toBe(true);
  expect(discipline.admit(again, true)).toMatchObject({ run: false, why: 'repeated' });
  expect(discipline.next(true)).toEqual({ mayCall: false, mayAnswer: true });
});

test('settle: two identical calls with another between them leave more than an answer', () => {
  const discipline = createDiscipline();
  discipline.ended(read('a'), ok);
  discipline.admit(read('a'), true);
  discipline.ended(read('b'), ok);
  discipline.admit(read('b'), true);
  expect(discipline.next(true).mayCall).toBe(true);
});

test('settle: after a change the same call is another one, after a mere look it is not', () => {
  const discipline = createDiscipline();
  discipline.ended(read('a'), ok);
  discipline.ended(read('b'), ok);
  expect(discipline.admit(read('a'), true).run).toBe(false);
  discipline.ended(write, changed);
  expect(discipline.admit(read('a'), true).run).toBe(true);
  expect(discipline.admit(write, true).run).toBe(false);
});

test('settle: a call that failed is not run again either', () => {
  const discipline = createDiscipline();
  discipline.ended(read('a'), failed);
  expect(discipline.admit(read('a'), true)).toEqual({
    run: false,
    why: 'fails_again',
    result: { content: 'Error: no such file' },
  });
});

test('a native call may be repeated as long as it works', () => {
  const discipline = createDiscipline();
  for (let times = 0; times < 5; times += 1) discipline.ended(read('a'), ok);
  expect(discipline.admit(read('a'), false)).toEqual({ run: true });
});

test('W10: the third time after two identical failures it is suppressed with advice', () => {
  const discipline = createDiscipline();
  discipline.ended(read('a'), failed);
  expect(discipline.admit(read('a'), false)).toEqual({ run: true });
  discipline.ended(read('a'), failed);
  expect(discipline.admit(read('a'), false)).toEqual({
    run: false,
    why: 'fails_again',
    result: {
      content: expect.stringContaining('Change the arguments, use another tool') as unknown,
      bare: expect.stringMatching(/same error before\.$/) as unknown,
    },
  });
  expect(discipline.admit(read('b'), false)).toEqual({ run: true });
  expect(discipline.next(true).mayCall).toBe(true);
});

test('W10: another error, a success, or news from another call begin the count anew', () => {
  const differs = createDiscipline();
  differs.ended(read('a'), failed);
  differs.ended(read('a'), { ...failed, content: 'Error: busy' });
  expect(differs.admit(read('a'), false).run).toBe(true);

  const worked = createDiscipline();
  for (const end of [failed, ok, failed]) worked.ended(read('a'), end);
  expect(worked.admit(read('a'), false).run).toBe(true);

  const news = createDiscipline();
  news.ended(write, failed);
  news.ended(write, failed);
  news.ended(read('a'), ok);
  expect(news.admit(write, false).run).toBe(true);
  news.ended(write, failed);
  news.ended(read('a'), ok);
  news.ended(write, failed);
  expect(news.admit(write, false).run).toBe(false);
});
