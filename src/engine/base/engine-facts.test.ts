import { expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { createFacts } from './engine-facts.ts';

function open() {
  const logged: string[] = [];
  const facts = createFacts({ ...silentLog, error: (message) => void logged.push(message) });
  const heard: string[] = [];
  return { facts, heard, logged };
}

test('A fact is heard at once, by those who asked for it, in the order in which they asked', () => {
  const { facts, heard } = open();
  facts.on('engine/appeared', ({ url }) => heard.push(`first ${url}`));
  facts.on('engine/gone', () => heard.push('gone'));
  facts.on('engine/appeared', () => heard.push('second'));
  facts.publish({ type: 'engine/appeared', url: 'here' });
  expect(heard).toEqual(['first here', 'second']);
});

test('A listener that throws is logged and keeps no other from hearing', () => {
  const { facts, heard, logged } = open();
  facts.on('engine/gone', () => {
    throw new Error('broken');
  });
  facts.on('engine/gone', () => heard.push('the next one'));
  expect(() => facts.publish({ type: 'engine/gone' })).not.toThrow();
  expect(heard).toEqual(['the next one']);
  expect(logged).toEqual(['a part of the engine failed on engine/gone']);
});

test('A fact that follows from another is heard before the first one has gone round', () => {
  const { facts, heard } = open();
  facts.on('lease/ended', () => facts.publish({ type: 'residency/read' }));
  facts.on('residency/read', () => heard.push('read'));
  facts.on('lease/ended', ({ model }) => heard.push(model));
  facts.publish({ type: 'lease/ended', model: 'qwen3:8b', idle: true });
  expect(heard).toEqual(['read', 'qwen3:8b']);
});
