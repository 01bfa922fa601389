/** The ways in which a first call can be a right one. */
import type { FirstCall } from './task.ts';

type Right = (call: FirstCall) => boolean;

export const anyOf =
  (...ways: readonly Right[]): Right =>
  (call) =>
    ways.some((way) => way(call));

/** The right thing is to make no call. */
export const noCall: Right = () => false;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const plainPath = (value: unknown): string =>
  text(value)
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '');
const command = ({ tool, args }: FirstCall): string => (tool === 'run_command' ? text(args['command']) : '');

const printing = /\b(cat|head|tail|sed|awk|grep|rg|nl|less|more|cut|sort|python3?|node)\b/;
const searching = /\b(grep|rg|ag|ack|findstr)\b/;

/** Looks into that file, whole or in part. */
export const reads =
  (path: string): Right =>
  (call) =>
    (['read_file', 'search'].includes(call.tool) && plainPath(call.args['path']) === path) ||
    (printing.test(command(call)) && command(call).includes(path));

/** Looks for that text, anywhere. */
export const searches =
  (wanted: string): Right =>
  (call) => {
    const where =
      call.tool === 'search'
        ? text(call.args['pattern'])
        : searching.test(command(call))
          ? command(call)
          : '';
    return where.toLowerCase().includes(wanted.toLowerCase());
  };

/** '' = the workspace itself. */
export const lists =
  (folder: string): Right =>
  (call) =>
    (call.tool === 'list_files' && plainPath(call.args['path']).replace(/^\.$/, '') === folder) ||
    (call.tool === 'glob' && folder !== '' && plainPath(call.args['pattern']).startsWith(`${folder}/`)) ||
    (/\b(ls|find|dir|tree)\b/.test(command(call)) && command(call).includes(folder));

/** Looks for names that end so. */
export const finds =
  (ending: string): Right =>
  (call) =>
    (call.tool === 'glob' && text(call.args['pattern']).includes(ending)) ||
    (/\b(find|ls)\b/.test(command(call)) && command(call).includes(ending));

export const runs =
  (pattern: RegExp): Right =>
  (call) =>
    pattern.test(command(call));

/** Runs something with that path in it. */
export const runsWith =
  (pattern: RegExp, path: string): Right =>
  (call) =>
    pattern.test(command(call)) && command(call).includes(path);

/** Writes that file in one go. */
export const writes =
  (path: string): Right =>
  (call) =>
    (call.tool === 'write_file' && plainPath(call.args['path']) === path) ||
    (/>|\btee\b|\btouch\b/.test(command(call)) && command(call).includes(path));

/** Changes that file; whether it was read before is the tool's affair. */
export const changes =
  (path: string): Right =>
  (call) =>
    (['edit_file', 'write_file'].includes(call.tool) && plainPath(call.args['path']) === path) ||
    (/\bsed\b|>|\bperl\b/.test(command(call)) && command(call).includes(path));

/** Only looks, whatever at. */
export const looks: Right = (call) =>
  ['read_file', 'search', 'list_files', 'glob'].includes(call.tool) ||
  (/^\s*(ls|find|grep|rg|cat|which|type|command -v|lpstat)\b/.test(command(call)) &&
    !/>|-delete|-exec/.test(command(call)));
