/**
 * Signs that are no letters of a word and pass for those with a meaning to a shell, in a path or in an address. The sets
 * follow Unicode's table of confusable signs, by ranges where whole blocks look alike. Dashes, curly quotation marks,
 * bullets and minus are writing.
 */

/** Passes for one wherever it stands. */
const always = new RegExp(
  `^[${[
    // / and \
    String.raw`\u1735\u2041\u2044\u2215\u27CB\u29F8\u29F6\u2216\u27CD\u29F5\u29F7\u29F9`,
    // | ! and what is drawn as a part of a bar
    String.raw`\u00A6\u01C0-\u01C3\u05C0\u2016\u2223-\u2226\u239C\u239F\u23A2\u23A5\u23AA\u23AE\u23B8\u23B9\u23D0\u23FD\u2758-\u275A\u2980\u2999\u29D8-\u29DB\u2AF4-\u2AFE\uFFE8`,
    // . , : ;
    String.raw`\u02CC\u02D0\u02D1\u02F8\u0387\u0589\u05C3\u16EB-\u16ED\u1802-\u1805\u1808\u1809\u2024\u2027\u204F\u205A\u205D\u205E\u2219\u2236\u22C5\u2982\u2E31\u2E35\uA789\u00B8\u{10101}`,
    // ' " and the grave accent
    String.raw`\u00B4\u02B9-\u02CB\u02CE\u02CF\u02DD\u02EE\u02F4-\u02F6\u0374\u0384\u055A-\u055D\u1FBD\u1FBF\u1FEF\u1FFD\u1FFE\u201B\u201F\u2035-\u2037\u275B-\u275E\uA78B\uA78C`,
    // - _ = + ~ ^
    String.raw`\u02C4-\u02C6\u02CD\u02D6\u02D7\u02DC\u02F7\u1FC0\u2010\u2011\u2043\u2053\u223C\u223D\u23AF\u2795\u2796\u2E40\uA78A\uA78E`,
    // < > ( ) { }
    String.raw`\u02C2\u02C3\u1433\u1438\u2329\u232A\u2768-\u2775\u27E8\u27E9\u29FC\u29FD`,
    // * # & % $ ?
    String.raw`\u066A\u066D\u204E\u2051\u2052\u2055\u2217\u22C6\u2317\u214B\uA778\u2731-\u273D\u0241\u0242\u0294`,
    // Greek and other music
    String.raw`\u{1D200}-\u{1D245}`,
  ].join('')}]$`,
  'u',
);

interface Looks {
  sign: RegExp;
  /** To a person who reads one of these it is writing. */
  readBy: readonly string[];
}

/** Passes for one beside plain letters, where nobody reads its script: strokes, and punctuation without a blank behind. */
const besidePlain: readonly Looks[] = [
  {
    sign: /^[\u1100\u1173\u1175\u119E\u2F00-\u2F06\u3001-\u3003\u3008-\u300B\u3014\u3015\u301C\u3031-\u3035\u303B\u304F\u3078\u309B-\u309E\u30A0\u30BD\u30CB\u30CE\u30CF\u30D8\u30F3\u30FB-\u30FE\u3105\u3111\u3127\u3161\u3163\u318D\u31C0-\u31E3\u4E00\u4E28\u4E36\u4E3F\u4E42\u4E8C\u5202\u535C\uFF61-\uFF65\uFF70\uFF86\uFF89\uFF9D-\uFF9F\uFFDA\uFFDC]$/u,
    readBy: ['Jpan', 'Hans', 'Hant', 'Hani', 'Kore', 'Bopo'],
  },
  {
    sign: /^[\u0964\u0965]$/u,
    readBy: ['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  },
];
/** Lines of a frame or of a tree, unless one stands alone among words. */
const drawing = /[\u2500-\u257F]/;
/** How far before it a line may be followed to see whether it is one of a drawing. */
const sameDrawing = 120;

/** `at`: where it stands in the text around it. */
export function looksLikeOperator(
  sign: string,
  text: string,
  at: number,
  scripts: ReadonlySet<string>,
): boolean {
  if (always.test(sign)) return true;
  if (drawing.test(sign)) return isBesidePlain(sign, text, at) && !drawing.test(lineBefore(text, at));
  return besidePlain.some(
    (looks) =>
      looks.sign.test(sign) &&
      !looks.readBy.some((script) => scripts.has(script)) &&
      isBesidePlain(sign, text, at),
  );
}

/** Right beside one, or with blanks between two. */
function isBesidePlain(sign: string, text: string, at: number): boolean {
  const before = /(?<plain>[!-~])?(?<blanks>[ \t]*)$/.exec(text.slice(Math.max(0, at - 8), at))?.groups;
  const after = /^(?<blanks>[ \t]*)(?<plain>[!-~])?/.exec(
    text.slice(at + sign.length, at + sign.length + 8),
  )?.groups;
  const isPlain = [before, after].map((side) => side?.['plain'] !== undefined);
  const touches = [before, after].some((side) => side?.['plain'] !== undefined && side['blanks'] === '');
  return touches || isPlain.every(Boolean);
}

function lineBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - sameDrawing), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}
