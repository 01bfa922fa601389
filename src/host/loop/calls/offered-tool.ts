import type { Tool } from '../../tools/tool.ts';

/** What the reading of calls needs to know of a tool that the model was shown. */
export type OfferedTool = Pick<Tool, 'name' | 'schema' | 'mutates'>;

/** The same name in any style: `readFile`, `read-file`, `Read_File`. */
export const plainName = (name: string): string => name.replaceAll(/[\s_-]/g, '').toLowerCase();
