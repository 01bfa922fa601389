/** Small archives in the shape of a release, put together by the system's own `tar`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ArchiveFormat } from '../release.ts';

/** Path → content, or where a link leads. */
export type Tree = Record<string, string | { link: string }>;

/** @param options more for `tar`, before the names. */
export function packTar(
  tree: Tree,
  options: readonly string[] = [],
  names: readonly string[] = ['.'],
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-archive-'));
  try {
    for (const [name, content] of Object.entries(tree)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      if (typeof content === 'string') {
        writeFileSync(path, content);
        if (name.startsWith('bin/')) chmodSync(path, 0o755);
      } else symlinkSync(content.link, path);
    }
    return execFileSync('tar', ['-c', '-f', '-', '-C', folder, ...options, ...names], {
      maxBuffer: 64 * 1024 * 1024,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function compress(tar: Buffer, format: ArchiveFormat): Buffer {
  return format === 'tgz' ? gzipSync(tar) : zstdCompressSync(tar);
}

/** What the program in the archive does when it is started with `serve`. */
export interface Behaviour {
  version: string;
  /** Says this and ends with 1, at once. */
  dies?: string;
}

/** A program that listens where `OLLAMA_HOST` says and answers as Ollama does when it is asked what it is. */
export function fakeRelease(behaviour: Behaviour, more: Tree = {}): Tree {
  return {
    'bin/ollama': `#!/bin/sh\nexec "${process.execPath}" "$(dirname "$0")/../lib/ollama/serve.mjs" "$@"\n`,
    'lib/ollama/serve.mjs': program(behaviour),
    'lib/ollama/libggml.so': { link: 'libggml.so.1' },
    'lib/ollama/libggml.so.1': 'a library',
    ...more,
  };
}

function program({ version, dies }: Behaviour): string {
  if (dies !== undefined) return `console.error(${JSON.stringify(dies)});\nprocess.exit(1);\n`;
  return `
import { createServer } from 'node:http';
const [host, port] = process.env.OLLAMA_HOST.split(':');
const replies = { '/api/version': { version: ${JSON.stringify(version)} }, '/api/tags': { models: [] }, '/api/ps': { models: [] } };
process.on('SIGTERM', () => process.exit(0));
createServer((request, response) => {
  const reply = request.url === '/env' ? process.env : replies[request.url];
  response.writeHead(reply ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply ?? {}));
}).listen(Number(port), host, () => console.error('Listening on ' + process.env.OLLAMA_HOST));
`;
}
