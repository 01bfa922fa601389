/** Languages of code blocks and files. Each grammar is its own chunk, loaded when first needed. */
import type { LanguageRegistration } from 'shiki/core';

type Loader = () => Promise<{ default: LanguageRegistration[] }>;

const loaders: Record<string, Loader> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};

/** Other names of a language, and file extensions. */
const aliases: Record<string, string> = {
  bat: 'powershell',
  cc: 'cpp',
  cjs: 'javascript',
  conf: 'ini',
  console: 'bash',
  cs: 'csharp',
  cxx: 'cpp',
  dockerfile: 'docker',
  env: 'ini',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'tsx',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};

/** "TS" → "typescript"; null = shown without colours. */
export function knownLanguage(name: string): string | null {
  const key = name.toLowerCase();
  const language = Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key;
  return Object.hasOwn(loaders, language) ? language : null;
}

/** By extension, else by the name itself ("Dockerfile"). */
export function languageOfPath(path: string): string | null {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return knownLanguage(name.includes('.') ? (name.split('.').at(-1) ?? '') : name);
}

export async function loadGrammar(language: string): Promise<LanguageRegistration[]> {
  const load = loaders[language];
  return load ? (await load()).default : [];
}
