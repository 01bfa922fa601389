/** For the tests of this room: the first tool set as far as the reading of calls knows it, and growth of time. */
import type { PropertySchema, Tool } from '../../tools/tool.ts';
import type { OfferedTool } from './offered-tool.ts';

function tool(
  name: string,
  types: Record<string, PropertySchema['type']>,
  required: string[],
  mutates: boolean,
): OfferedTool & Pick<Tool, 'about'> {
  const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]));
  return { name, mutates, about: 'workspace', schema: { type: 'object', properties, required } };
}

export const offered = [
  tool('read_file', { path: 'string', start_line: 'integer', end_line: 'integer' }, ['path'], false),
  tool('write_file', { path: 'string', content: 'string' }, ['path', 'content'], true),
  tool(
    'edit_file',
    { path: 'string', old_text: 'string', new_text: 'string' },
    ['path', 'old_text', 'new_text'],
    true,
  ),
  tool('list_files', { path: 'string' }, [], false),
  tool('glob', { pattern: 'string' }, ['pattern'], false),
  tool('search', { pattern: 'string', path: 'string' }, ['pattern'], false),
  tool('run_command', { command: 'string' }, ['command'], true),
];

/** Of this thread: other tests that have the processor meanwhile count for nothing. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** How much longer eight times the text takes: linear is 8, quadratic 64. The floor keeps the clock's grain out of it. */
export function growth(run: (length: number) => void): number {
  const fastest = (length: number): number =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const start = computedMs();
        run(length);
        return computedMs() - start;
      }),
    );
  const floorMs = 8;
  return fastest(100_000) / Math.max(fastest(12_500), floorMs);
}
