/** Makes `whats-new.json` from the changelog, which the first start after an update shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const maxLines = 3;
const maxLength = 160;

/**
 * The first three points of the version's section, or of what is not released yet; each its first sentence.
 * @param changelog in Markdown: `## VERSION` and points with `-`
 */
export function whatsNewLines(changelog: string, version: string): string[] {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string): string | undefined =>
    sections.find((section) => section.split('\n')[0]?.trim().split(/\s/)[0] === name);
  const [, ...lines] = (named(version) ?? named('Unreleased') ?? '').split('\n');
  const points = lines.join('\n').split(/^- /m).slice(1);
  return points.slice(0, maxLines).map(shortened);
}

function shortened(point: string): string {
  const plain = point.replaceAll(/\s+/g, ' ').replaceAll(/[`*]/g, '').trim();
  const sentence = /^.*?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
  if (sentence.length <= maxLength) return sentence;
  return `${sentence.slice(0, sentence.lastIndexOf(' ', maxLength - 1)).replace(/[,;:]$/, '')}…`;
}

/** Writes it beside main's built files. @param root of the repository */
export function whatsNewFile(root: string): Plugin {
  return {
    name: 'andiron-whats-new',
    apply: 'build',
    generateBundle() {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
      const lines = whatsNewLines(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
      if (lines.length === 0) this.error('CHANGELOG.md says nothing about this version.');
      this.emitFile({
        type: 'asset',
        fileName: 'whats-new.json',
        source: JSON.stringify({ version, lines }),
      });
    },
  };
}
