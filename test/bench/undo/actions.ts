/** What the turns of a session, and the person beside it, do to a folder: drawn, so that no two runs are the same. */
import { seededRandom } from '../../../src/sim/time/index.ts';

export class Draw {
  readonly #share: () => number;
  #drawn = 0;

  constructor(seed: number) {
    this.#share = seededRandom(seed);
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.#share() * (max - min + 1));
  }

  of<T>(all: readonly T[]): T {
    const one = all[this.between(0, all.length - 1)];
    if (one === undefined) throw new Error('Nothing to draw from.');
    return one;
  }

  /** A text that was never drawn before: what comes back by chance looks like what was put back. */
  words(): string {
    this.#drawn += 1;
    return `${this.of(['one', 'two', 'three', 'ä', 'a longer line of words'])} ${String(this.#drawn)}`;
  }

  isOneIn(many: number): boolean {
    return this.between(1, many) === 1;
  }
}

/** Names that a shell, a path or a comparison may trip over. */
const names = [
  'a',
  'b.txt',
  'notes',
  'my file.md',
  '-dash',
  'ü.txt',
  "it's",
  'two\nlines',
  '.hidden',
  '$HOME',
  'x*y',
  '#1',
];
const folders = [
  '',
  'src',
  'docs',
  'src/deep',
  'src/deep/er',
  'sp ace',
  'build',
  'node_modules/pkg',
  'empty',
];

/** None leads out of the ground of the bench: commands go through links, and nothing keeps them in here. */
const linkTargets = ['../outside', 'b.txt', '../src', 'nowhere', '.'];

export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const beneath = (folder: string, name: string): string =>
  folder === '' ? `./${name}` : `./${folder}/${name}`;
const aPath = (draw: Draw): string => beneath(draw.of(folders), draw.of(names));

type Make = (draw: Draw) => string;

const file: Make = (draw) => quoted(aPath(draw));
const folder: Make = (draw) => quoted(`./${draw.of(folders.slice(1))}`);
const text: Make = (draw) => quoted(draw.words());

/** Each a command of its own; many fail, as they do in life. */
const commands: readonly Make[] = [
  (d) => `mkdir -p ${folder(d)}`,
  (d) => `f=${file(d)}; mkdir -p "$(dirname -- "$f")"; echo ${text(d)} > "$f"`,
  (d) => `echo ${text(d)} >> ${file(d)}`,
  (d) => `printf '%s' ${text(d)} > ${file(d)}`,
  (d) => `sed -i s/o/0/ ${file(d)}`,
  (d) => `rm -f ${file(d)}`,
  (d) => `rm -rf ${folder(d)}`,
  (d) => `rmdir ${folder(d)}`,
  (d) => `mv ${file(d)} ${file(d)}`,
  (d) => `mv ${folder(d)} ${folder(d)}`,
  (d) => `mv -T ${folder(d)} ${quoted(`./moved${String(d.between(1, 3))}`)}`,
  (d) => `cp ${file(d)} ${file(d)}`,
  // A folder of folders of folders would soon be all that there is.
  (d) => `[ $(find . | wc -l) -gt 400 ] || cp -r ${folder(d)} ${quoted(`./copy${String(d.between(1, 3))}`)}`,
  (d) => `chmod ${d.of(['600', '644', '755', '700', '444'])} ${file(d)}`,
  (d) => `chmod ${d.of(['755', '700', '777'])} ${folder(d)}`,
  (d) => `ln -s ${quoted(d.of(linkTargets))} ${file(d)}`,
  (d) => `ln -sfn ${quoted(d.of(names))} ${file(d)}`,
  (d) => `ln ${file(d)} ${file(d)}`,
  (d) => `touch ${file(d)}`,
  (d) => `f=${file(d)}; touch -r "$f" ../ref && echo ${text(d)} > "$f" && touch -r ../ref "$f"`,
  (d) => `truncate -s ${String(d.between(0, 5000))} ${file(d)}`,
  (d) => `head -c ${String(d.between(1, 3000))} /dev/urandom > ${file(d)}`,
  // A pipe would hold whoever opens it until somebody reads; a socket refuses at once, and is neither file nor folder too.
  (d) => `python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' ${file(d)}`,
  (d) => `f=${file(d)}; rm -rf "$f"; mkdir -p "$f"/in && echo ${text(d)} > "$f"/in/x`,
  (d) => `rm -rf ${folder(d)} && echo ${text(d)} > ${folder(d)}`,
  () => 'find . -name "*.txt" -not -path "./.git/*" -exec sed -i "s/e/E/g" {} +',
  () => 'for n in 1 2 3 4 5 6 7 8 9; do mkdir -p many; echo $n > many/$n; done',
  () => 'rm -rf many; rm -rf moved1 copy1',
  () => '[ $(find . | wc -l) -gt 400 ] || { tar cf all.tar src docs; tar xf all.tar -C docs; }',
  () => 'rm -rf docs/docs docs/src copy1/* moved2/*',
  (d) => `echo ${d.of(["'*.log'", 'build/', "'*'", 'src', "'!kept.log'"])} > .gitignore; echo l > a.log`,
  () => 'rm -f .gitignore',
  (d) => `python3 -c "import os; os.replace('b.txt', 'docs/b.txt')"; echo ${text(d)} > b.txt`,
  () => 'echo half > half; false',
];

/** Of a repository; a machine without git says so and goes on. */
const git: readonly string[] = [
  'git init -q . && git add -A && git commit -qm one',
  'git add -A && git commit -qm more',
  'git stash -q',
  'git stash pop -q',
  'git checkout -q -b side || git checkout -q -',
  'git checkout -q HEAD~1',
  'git reset -q --hard',
  'git clean -fdq',
  'git rm -rq --cached src',
];

const who =
  'git config --global --get user.name >/dev/null || export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b';
const bigFile = (draw: Draw): string =>
  `head -c ${String(draw.of([17_000_000, 3_000_000]))} /dev/zero > ${quoted(`./big${String(draw.between(1, 2))}`)}`;
const install =
  'mkdir -p ../pkg && echo \'{"name":"pkg","version":"1.0.0"}\' > ../pkg/package.json && npm install --no-audit --no-fund --silent --offline ../pkg';

export type Action =
  | { tool: 'run_command'; args: { command: string } }
  | { tool: 'write_file'; args: { path: string; content: string } };

export function drawAction(draw: Draw): Action {
  if (draw.isOneIn(6)) {
    const path = aPath(draw).slice(2);
    return { tool: 'write_file', args: { path, content: `${draw.words()}\n${draw.words()}\n` } };
  }
  const one = (): string => {
    if (draw.isOneIn(100)) return install;
    if (draw.isOneIn(60)) return bigFile(draw);
    return draw.isOneIn(8) ? `${who}; ${draw.of(git)}` : draw.of(commands)(draw);
  };
  const command = Array.from({ length: draw.between(1, 5) }, one).join('\n');
  return { tool: 'run_command', args: { command } };
}

/** A command that can be killed in its middle. */
export function drawSlow(draw: Draw): string {
  const step = (): string =>
    draw.of([
      `for f in src/deep/*; do echo ${text(draw)} > "$f"; sleep 0.002; done`,
      'for f in docs/*; do rm "$f"; sleep 0.002; done',
      'for f in src/deep/*; do mv "$f" "$f".moved; sleep 0.002; done',
      'for n in 1 2 3 4 5 6 7 8 9; do mkdir -p new/$n; echo $n > new/$n/x; sleep 0.005; done',
      'chmod 755 src/deep/*; sleep 0.05; chmod 600 docs/*',
      'rm -rf src; sleep 0.02; mkdir -p src/deep; echo n > src/deep/f0',
      'ln -sf ../docs/f1 src/link; sleep 0.05; rm -rf docs; echo file > docs',
    ]);
  return [step(), step()].join('\n');
}

/** What the person does meanwhile, as a command of their own. */
export function drawOutside(draw: Draw): string {
  return draw.of([
    `echo mine ${text(draw)} > ${file(draw)}`,
    `echo mine ${text(draw)} >> ${file(draw)}`,
    `rm -rf ${file(draw)}`,
    `mv ${file(draw)} ${quoted(`./mine${String(draw.between(1, 3))}`)}`,
    `mkdir -p ${folder(draw)} && echo mine ${text(draw)} > ${folder(draw)}/mine`,
    `chmod 640 ${file(draw)}`,
  ]);
}
