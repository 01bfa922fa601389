import { expect, test } from 'vitest';
import type { ContextMessage } from '../providers/provider.ts';
import { carriedLoads, type LogEntry } from './compaction.ts';
import { note } from './notes.ts';

const text = (name: string, body = 'Do it.'): string =>
  `Skill of the person: ${name}\nIts folder: /s\n\n${body}`;

/** A reply that loads a skill, with this result. */
function load(id: string, name: string, content = text(name)): LogEntry[] {
  const messages: ContextMessage[] = [
    {
      role: 'assistant',
      content: 'I look.',
      thinking: 'Hm.',
      calls: [{ id, name: 'load_skill', args: { name } }],
    },
    { role: 'tool', callId: id, tool: 'load_skill', content },
  ];
  return messages.map((message) => ({ message, turnId: 'turn_1' }));
}
const contents = (older: LogEntry[], kept: LogEntry[] = [], most = 10_000): string[] =>
  carriedLoads(older, kept, most).flatMap((message) => (message.role === 'tool' ? [message.content] : []));

test('Skills go on as one reply that loads them, each with its result', () => {
  const skills = carriedLoads([...load('a', 'zip'), ...load('b', 'notes')], [], 10_000);
  expect(skills).toMatchObject([
    { role: 'assistant', content: '', thinking: '', calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', callId: 'a', content: text('zip') },
    { role: 'tool', callId: 'b', content: text('notes') },
  ]);
});

test('Where no skill was loaded, nothing goes on', () => {
  expect(carriedLoads(load('a', 'zip', 'Error: There is no skill zip.'), [], 10_000)).toEqual([]);
});

test('Of a skill that was loaded twice the newest text goes on', () => {
  const older = [...load('a', 'zip', text('zip', 'Old.')), ...load('b', 'zip', text('zip', 'New.'))];
  expect(contents(older)).toEqual([text('zip', 'New.')]);
});

test('A skill that stays in the log goes on there', () => {
  expect(contents(load('a', 'zip'), load('b', 'zip'))).toEqual([]);
});

test('As many go on as there is room for, the newest first', () => {
  const older = [...load('a', 'one'), ...load('b', 'two'), ...load('c', 'three')];
  const most = text('two').length + text('three').length;
  expect(contents(older, [], most)).toEqual([text('two'), text('three')]);
  expect(contents(older, [], most - 1)).toEqual([text('three')]);
});

test('Notes of a turn that is over do not go on', () => {
  expect(contents(load('a', 'zip', text('zip') + note('3 steps are left.')))).toEqual([text('zip')]);
});

const described = 'notes.add\nAdds a note\narguments: {"type":"object"}\n';
/** A reply that searches for tools of other programs, with this result. */
const search = (id: string, content: string): LogEntry[] =>
  load(id, '', content).map(({ message, turnId }) => ({
    message: message.role === 'tool' ? { ...message, tool: 'tool_search' } : message,
    turnId,
  }));

test('Tools of other programs that were found go on with what they take, each search once', () => {
  const older = [...search('a', described), ...load('b', 'zip'), ...search('c', described)];
  expect(contents(older)).toEqual([text('zip'), described]);
  expect(contents(older, search('d', described))).toEqual([text('zip')]);
  expect(contents(search('a', 'Error: No tool fits these words.'))).toEqual([]);
});
