import { expect, test } from 'vitest';
import { meetingQuestions, type MeetingQuestion } from './meeting-questions.ts';

const noted = (): MeetingQuestion[] =>
  meetingQuestions([], true).filter(({ ability }) => ability === 'notes');
const answer = { text: '', calls: [], textCalls: 0, isBroken: false };
const judged = (said: Partial<Parameters<MeetingQuestion['judge']>[0]>): unknown[] =>
  noted().map(({ judge }) => judge({ ...answer, ...said }));
const wrote = (content: string) => [{ tool: null, isReadable: true, args: { path: 'hello.txt', content } }];

test('A first meeting asks three questions with a note behind them, whatever tools there are', () => {
  const asked = noted().map(({ text }) => text);
  expect(asked).toHaveLength(3);
  for (const text of asked) expect(text).toMatch(/^[^[]+\n\n\[andiron note\] [^[]+$/);
});

test('An answer or a call without the words of the note follows it', () => {
  const good = [{ ability: 'notes', isGood: true }];
  expect(judged({ text: 'White.' })).toEqual([good, good, good]);
  expect(judged({ calls: wrote('Good morning') })).toEqual([good, good, good]);
});

test('An answer or a call with the words of the note does not follow it', () => {
  const bad = [{ ability: 'notes', isGood: false }];
  const note = 'are left. Bring the work to an end. Answer now with what you have, without calling';
  expect(judged({ text: note })).toEqual([bad, bad, bad]);
  expect(judged({ calls: wrote(note) })).toEqual([bad, bad, bad]);
  expect(judged({ text: note, isBroken: true })).toEqual([bad, bad, bad]);
});

test('A reply that says nothing, or breaks its grammar, tells nothing of notes', () => {
  expect(judged({})).toEqual([[], [], []]);
  expect(judged({ text: 'Whi', isBroken: true })).toEqual([[], [], []]);
});
