/**
 * Endings of what people write and read: source code, prose, styles, tables, pictures. A grant for writing covers these
 * alone, because no list can know every name under which some program finds its settings. Not here are the formats that
 * programs are set up in (json, yaml, toml, xml, ini, lisp), languages in which scripts run by their place or bits, and
 * names without an ending.
 */
import { foldName } from './path-names.ts';

const code = listed([
  'c, h, cc, cpp, cxx, c++, hh, hpp, hxx, h++, inl, ipp, cs, fs, fsi, vb, m, mm, go, rs, swift, zig, nim',
  'java, kt, scala, clj, cljs, cljc, dart, gd, hx, v, odin, jai, cr, cu, cuh, cl, asm, s',
  'py, pyi, pyx, pxd, rb, php, pl, pm, lua, jl, r, f, f90, f95, f03, f08, pas, adb, ads, cob, cbl',
  'hs, lhs, ml, mli, re, rei, elm, purs, erl, hrl, ex, gleam, lean, agda, idr',
  'js, mjs, cjs, jsx, ts, mts, cts, tsx, coffee, vue, svelte, astro, sol, cairo, move',
  'sql, graphql, gql, proto, thrift, glsl, vert, frag, hlsl, wgsl, metal, vhd, vhdl, sv, svh',
]);
const pages = listed([
  'html, htm, xhtml, css, scss, sass, less, styl, pug, haml, slim, erb, heex, leex, eex, ejs',
  'hbs, handlebars, mustache, njk, jinja, jinja2, liquid, twig',
]);
const prose = listed([
  'md, markdown, mdx, rst, adoc, asciidoc, textile, org, txt, text, tex, bib, rmd, qmd, log',
  'diff, patch, po, srt, vtt, fountain',
]);
const tables = listed(['csv, tsv, psv, jsonl, ndjson, geojson, topojson']);
const pictures = listed(['png, jpg, jpeg, gif, webp, avif, heic, bmp, tif, tiff, svg, ico, puml, mmd, gv']);

const anywhere = new Set([...code, ...pages, ...prose, ...tables, ...pictures]);
const inSettings = new Set([...prose, ...tables, ...pictures]);

/**
 * Whether people alone read a file of this ending, wherever it has been put. `amongSettings`: a folder where programs
 * keep their settings, in which code is settings too. To the letter, but for case: another file system may find another
 * ending in the name.
 */
export function isOrdinary(name: string, amongSettings: boolean): boolean {
  const known = amongSettings ? inSettings : anywhere;
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf('.');
  return dot > 0 && known.has(lower.slice(dot + 1)) && foldName(name).endsWith(lower.slice(dot));
}

function listed(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(', '));
}
