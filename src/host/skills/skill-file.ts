/** One `SKILL.md`, checked by the Agent Skills specification. Foreign text: what is hidden in it comes out escaped. */
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import { visibleName, visibleText } from '../../rules/visible-text/visible-text.ts';

export interface SkillText {
  name: string;
  /** One line. */
  description: string;
  compatibility: string | null;
  /** As it is written, entry by entry; null = it says nothing of tools. */
  allowedTools: readonly string[] | null;
  body: string;
  /** Line of the file on which the body begins, from 1. */
  bodyLine: number;
}

/** `problem`: what is wrong with it, in words that follow "Can’t be used: ". */
export type ReadSkill = { skill: SkillText } | { problem: string };

/** Front matter of real skills is a hundredth of this. */
const maxFrontMatter = 16 * 1024;
const maxName = 64;
const maxDescription = 1_024;
const maxCompatibility = 500;
const maxTools = 100;

class Broken extends Error {}

/** @param folder the name of the folder that holds it. Never throws. */
export function readSkillFile(text: string, folder: string): ReadSkill {
  try {
    const { frontMatter, body, bodyLine } = split(text);
    return { skill: { ...readFields(fieldsOf(frontMatter), folder), body, bodyLine } };
  } catch (error) {
    if (error instanceof Broken) return { problem: error.message };
    // The parser may give up in ways of its own.
    return { problem: 'its front matter can’t be read' };
  }
}

function split(text: string): { frontMatter: string; body: string; bodyLine: number } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (lines[0]?.trimEnd() !== '---') throw new Broken('SKILL.md has no front matter');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) throw new Broken('the front matter of SKILL.md has no end');
  const frontMatter = lines.slice(1, end).join('\n');
  if (frontMatter.length > maxFrontMatter) throw new Broken('the front matter of SKILL.md is too long');
  const rest = lines.slice(end + 1);
  const blank = rest.findIndex((line) => line.trim() !== '');
  const from = blank === -1 ? rest.length : blank;
  const body = visibleText(rest.slice(from).join('\n').trimEnd());
  return { frontMatter, body, bodyLine: end + 2 + from };
}

function fieldsOf(frontMatter: string): YAMLMap<ParsedNode, ParsedNode | null> {
  const document = parseDocument(frontMatter, { schema: 'core', prettyErrors: false, logLevel: 'silent' });
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw new Broken(`its front matter is not YAML (${visibleName(error.message).slice(0, 120)})`);
  visit(document, {
    Node(_key, node) {
      // Repeated by each other, a few lines would grow without end.
      if (isAlias(node) || ('anchor' in node && node.anchor !== undefined))
        throw new Broken('its front matter repeats parts of itself by reference');
    },
  });
  if (!isMap<ParsedNode, ParsedNode | null>(document.contents))
    throw new Broken('its front matter is not a list of fields');
  return document.contents;
}

type Fields = ReturnType<typeof fieldsOf>;

/** Fields that the specification does not know are those of other clients, and left alone. */
function readFields(fields: Fields, folder: string): Omit<SkillText, 'body' | 'bodyLine'> {
  const name = wanted(fields, 'name');
  if (name.length > maxName) throw new Broken(`its name is longer than ${String(maxName)} characters`);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
    throw new Broken('its name has more than small letters, digits and single hyphens');
  if (name !== folder) throw new Broken(`its name is ${name}, and its folder has another one`);
  const description = wanted(fields, 'description');
  if (lengthOf(description) > maxDescription)
    throw new Broken(`its description is longer than ${maxDescription.toLocaleString('en')} characters`);
  const compatibility = textOf(fields, 'compatibility');
  if (compatibility !== null && lengthOf(compatibility) > maxCompatibility)
    throw new Broken(`its compatibility is longer than ${String(maxCompatibility)} characters`);
  const metadata = fields.get('metadata', true);
  if (isNode(metadata) && !isMap(metadata)) throw new Broken('its metadata is not a list of fields');
  textOf(fields, 'license');
  return {
    name,
    description: oneLine(description),
    compatibility: compatibility === null ? null : oneLine(compatibility),
    allowedTools: toolsOf(fields),
  };
}

const lengthOf = (text: string): number => Array.from(text).length;
const oneLine = (text: string): string => visibleName(text.replaceAll(/\s+/g, ' '));

function wanted(fields: Fields, name: string): string {
  const text = textOf(fields, name);
  if (text === null || text === '') throw new Broken(`SKILL.md has no ${name}`);
  return text;
}

/** `2026` and `null` are names too: what counts is how it is written. */
function textOf(fields: Fields, name: string): string | null {
  const node: unknown = fields.get(name, true);
  if (node === undefined || node === null) return null;
  if (!isScalar(node)) throw new Broken(`its ${name} is not a text`);
  const { value, source } = node;
  return (typeof value === 'string' ? value : (source ?? '')).trim();
}

/** Text with blanks between them, as specified, or a list, as some write it. */
function toolsOf(fields: Fields): readonly string[] | null {
  const node: unknown = fields.get('allowed-tools', true);
  const entries = isSeq(node) ? node.toJSON() : splitTools(textOf(fields, 'allowed-tools'));
  if (entries === null) return null;
  const tools = entries.filter((entry) => typeof entry === 'string');
  if (tools.length !== entries.length || tools.length > maxTools)
    throw new Broken('its allowed-tools can’t be read');
  return tools;
}

/** Blanks within brackets are of a command: `Bash(git log:*) Read`. Some put commas between them. */
const splitTools = (text: string | null): string[] | null =>
  text === null ? null : (text.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []);
