import { expect, it } from 'vitest';
import { resultCap, truncationMark } from '../tools/tool.ts';
import { editedWords } from './edited-call.ts';

it.each([
  [resultCap / 2, false],
  [resultCap / 2 + 1, true],
])('An edited text of %i characters is quoted to the model, and cut: %s (audit-A14)', (length, isCut) => {
  const words = editedWords({ argument: 'command', text: 'x'.repeat(length) });
  expect(words).toContain(`to:\n${'x'.repeat(resultCap / 2)}${isCut ? truncationMark : ''}\n\nIts result:`);
});
