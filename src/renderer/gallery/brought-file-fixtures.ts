/** A turn that wrote documents, and one file that lies on a server. */
import type { SessionSnapshot } from '../../protocol/model.ts';
import type { ResultFile } from '../../protocol/result-files.ts';
import { openSession } from './fixtures.ts';
import { reportStory } from './story.ts';

export function documentsSession(now: number): SessionSnapshot {
  const story = reportStory(now);
  const file = (id: string, name: string, bytes: number | null): ResultFile => ({
    id,
    turnId: 'turn_0',
    itemId: 'item_1',
    tool: bytes === null ? 'make_chart' : 'create_document',
    name,
    path: bytes === null ? null : name,
    url: bytes === null ? 'https://charts.example/7' : null,
    bytes,
    mime: bytes === null ? 'application/octet-stream' : 'text/markdown',
    at: now,
  });
  const files = [
    file('file_1', 'python_tutorials.md', 4_310),
    file('file_2', 'a_comparison_of_every_tutorial_that_was_found_in_the_folder.md', 128_400),
    file('file_3', 'progress.png', null),
  ];
  story.turn('Collect Python tutorials, compare them and draw a chart.', { files });
  story.call('create_document', 'python_tutorials.md', { result: 'Created python_tutorials.md (+40 -0).' });
  story.say({
    kind: 'text',
    text: 'I wrote two documents and drew a chart. The first one lists all tutorials.',
  });
  story.usage({ promptTokens: 9_120, cachedTokens: 8_800, evaluatedTokens: 320, outputTokens: 88 });
  return story.snapshot(openSession);
}
