import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { shippedPackages } from '../../scripts/build-facts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  dependencies: Record<string, string>;
};

it('every package that a packed Andiron contains is named with its version and its licence', () => {
  const packages = shippedPackages(root, ['react', '@base-ui/react', 'react']);
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([...Object.keys(manifest.dependencies), 'react', '@base-ui/react']),
  );
  // One package may be there in two versions.
  expect(new Set(packages.map(({ name, version }) => `${name} ${version}`)).size).toBe(names.length);
  for (const { name, version, licence, words } of packages) {
    expect({ name, version }).toEqual({ name, version: expect.stringMatching(/^\d+\.\d+/) as string });
    expect({ name, licence, told: words !== null && words.length > 100 }).toEqual({
      name,
      licence: expect.any(String) as string,
      told: true,
    });
  }
});

it('a package that brings no text has the words of its licence, in the name of its author', () => {
  const words = shippedPackages(root, []).find(({ name }) => name === 'lazy-val')?.words;
  expect(words).toContain('Copyright (c) Vladimir Krivosheev');
  expect(words).toContain('Permission is hereby granted');
  expect(words).not.toContain('Andiron');
});

it('tools of the makers are not named', () => {
  const names = shippedPackages(root, []).map(({ name }) => name);
  expect(names.filter((name) => /^(vite|vitest|typescript|oxlint|prettier)$/.test(name))).toEqual([]);
});
