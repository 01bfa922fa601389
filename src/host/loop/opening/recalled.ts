/** An answer that tells of the worked examples, which no person ever sees. */
import type { ContextMessage } from '../../providers/provider.ts';
import { mentioned } from '../steps/named-in-text.ts';
import { newPaths } from '../steps/new-paths.ts';
import { findingExamples } from './examples.ts';

const filesIn = ({ role, content }: ContextMessage): string[] =>
  role === 'user' ? newPaths(content, []) : [];
const exampleFiles = [...new Set(findingExamples.flatMap(filesIn))];

/** It names a file of theirs, and nothing in the conversation does. */
export function recallsExamples(answer: string, conversation: readonly ContextMessage[]): boolean {
  const texts = JSON.stringify(conversation);
  return mentioned([answer], exampleFiles).some((path) => !texts.includes(path));
}
