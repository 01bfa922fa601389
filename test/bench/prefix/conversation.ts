/** What is said and done in the benchmark: a workspace full of made-up code, and a model that works in it. */
import type { ProfileFile } from '../../../src/protocol/model.ts';
import type { SessionView } from '../../helpers/host-world.ts';
import type { JsonObject } from '../../../src/sim/render/index.ts';
import { Chance } from './chance.ts';

export interface ScriptedCall {
  name: string;
  arguments: JsonObject;
}

/** One reply of the model. The last of a turn has no calls. */
export interface ScriptedReply {
  /** Its step, for the tables. */
  what: string;
  thinking: string;
  text: string;
  calls: readonly ScriptedCall[];
  /** A subagent's. */
  isAgents?: true;
  /** The person stops it here, behind its text. */
  isStopped?: true;
}

/** What happens before a message is sent. */
export type Between =
  | { do: 'restart' }
  | { do: 'profile'; changes: Partial<ProfileFile> }
  /** Something that leaves the profile as it is. */
  | { do: 'act'; act: (rpc: SessionView['rpc']) => Promise<unknown> };

export interface ScriptedTurn {
  user: string;
  /** In the order in which they are asked for, those of a subagent inside of their parent's. */
  replies: readonly ScriptedReply[];
  before?: Between;
}

export interface Conversation {
  /** Path → content of the workspace at the start. */
  files: Record<string, string>;
  turns: readonly ScriptedTurn[];
}

interface Source {
  path: string;
  functions: readonly { name: string; signature: string }[];
  text: string;
}

const sources = 14;
const functionsPerSource = 24;

/** The same seed gives the same conversation; a shorter one is the beginning of a longer one. */
export function makeConversation(seed: number, turns: number): Conversation {
  const chance = new Chance(seed);
  const code = Array.from({ length: sources }, () => makeSource(chance));
  const work = [explain, change, compare, add, investigate];
  return {
    files: Object.fromEntries(code.map(({ path, text }) => [path, text])),
    turns: Array.from({ length: turns }, (_, index) =>
      (work[index % work.length] ?? explain)(chance, code, index),
    ),
  };
}

/** The same turns with nothing beside the calls. */
export function withoutProse(turns: readonly ScriptedTurn[]): ScriptedTurn[] {
  return turns.map((turn) => ({
    ...turn,
    replies: turn.replies.map((each) => (each.calls.length > 0 ? { ...each, text: '' } : each)),
  }));
}

/** The same turns with one call in a reply. */
export function withOneCall(turns: readonly ScriptedTurn[]): ScriptedTurn[] {
  return turns.map((turn) => ({
    ...turn,
    replies: turn.replies.flatMap((each) =>
      each.calls.length < 2
        ? [each]
        : each.calls.map((call, index) => ({
            ...each,
            ...(index > 0 && { thinking: '', text: '' }),
            what: call.name,
            calls: [call],
          })),
    ),
  }));
}

function makeSource(chance: Chance): Source {
  const path = `src/${chance.word()}-${chance.word()}.js`;
  const functions = Array.from({ length: functionsPerSource }, () => {
    const name = chance.word() + capital(chance.word());
    return { name, signature: `export function ${name}(${chance.word()}, ${chance.word()}) {` };
  });
  const bodies = functions.map(({ signature }) => {
    const [held, other] = [chance.word(), chance.word()];
    return [
      `/** ${chance.sentence(9)} */`,
      signature,
      `  const ${held} = [${chance.below(900)}, ${chance.below(90)}].map((each) => each * ${chance.below(50)});`,
      `  if (${held}.length > ${chance.below(9)} && ${held}[0] !== '${chance.word()}') {`,
      `    return \`<${other}> & ${chance.sentence(4)} \${${held}.join(', ')}\`;`,
      '  }',
      `  return "${chance.sentence(5)}";`,
      '}',
    ].join('\n');
  });
  return { path, functions, text: `${bodies.join('\n\n')}\n` };
}

export const call = (name: string, args: JsonObject): ScriptedCall => ({ name, arguments: args });

/** A reply that calls, with or without a sentence beside the call. */
export function calling(chance: Chance, text: string, ...calls: ScriptedCall[]): ScriptedReply {
  const what = calls.map(({ name }) => name).join(' + ');
  return { what, thinking: chance.paragraph(45), text, calls };
}

export function answering(chance: Chance): ScriptedReply {
  const list = Array.from({ length: 3 }, () => `- \`${chance.word()}\`: ${chance.sentence(8)}`).join('\n');
  return {
    what: 'answer',
    thinking: chance.paragraph(60),
    text: `${chance.paragraph(40)}\n\n${list}`,
    calls: [],
  };
}

type Work = (chance: Chance, code: readonly Source[], turn: number) => ScriptedTurn;

const explain: Work = (chance, code) => {
  const { path, functions } = chance.pick(code);
  const { name } = chance.pick(functions);
  return {
    user: `Where is ${name} defined, and what does it return? ${chance.sentence(14)}`,
    replies: [
      calling(chance, `I look for ${name} first.`, call('search', { pattern: name })),
      calling(chance, '', call('read_file', { path })),
      answering(chance),
    ],
  };
};

const change: Work = (chance, code) => {
  const { path, functions } = chance.pick(code);
  const { signature, name } = chance.pick(functions);
  const changed = `// ${chance.sentence(6)} <${name}> & more\n${signature}`;
  return {
    user: `Say above ${name} in ${path} what it is for.`,
    replies: [
      calling(chance, '', call('read_file', { path })),
      calling(chance, `${chance.sentence(10)} Now the edit.`, editOf(path, signature, changed)),
      calling(
        chance,
        '',
        call('run_command', { command: `node --check ${path} && grep -n -B 2 '${name}' ${path}` }),
      ),
      answering(chance),
    ],
  };
};

/** Keys in no alphabetical order, as models write them. */
function editOf(path: string, oldText: string, newText: string): ScriptedCall {
  return call('edit_file', { path, old_text: oldText, new_text: newText });
}

const compare: Work = (chance, code) => {
  const first = chance.pick(code);
  const second = chance.pick(code.filter((each) => each !== first));
  return {
    user: `Compare ${first.path} with ${second.path}.\n\n${chance.paragraph(30)}`,
    replies: [
      calling(
        chance,
        'I read both.',
        call('read_file', { path: first.path }),
        call('read_file', { path: second.path }),
      ),
      calling(chance, '', call('glob', { pattern: 'src/**/*.js' })),
      answering(chance),
    ],
  };
};

const add: Work = (chance, code, turn) => {
  const path = `notes/${chance.word()}-${turn}.md`;
  const content = `# ${chance.sentence(4)}\n\n${chance.paragraph(120)}\n\n\`\`\`html\n<p class="x">a && b</p>\n\`\`\`\n`;
  return {
    user: `Write ${path}: ${chance.paragraph(25)}`,
    replies: [
      calling(chance, '', call('list_files', { path: 'src' })),
      calling(chance, '', call('read_file', { path: chance.pick(code).path })),
      calling(chance, 'Enough to write it down.', call('write_file', { path, content })),
      answering(chance),
    ],
  };
};

const investigate: Work = (chance, code) => {
  const { path, functions } = chance.pick(code);
  const [one, two] = [chance.pick(functions).name, chance.pick(functions).name];
  return {
    user: `Why do ${one} and ${two} differ? ${chance.paragraph(20)}`,
    replies: [
      calling(chance, '', call('search', { pattern: `${one}|${two}`, path: 'src' })),
      calling(chance, '', call('read_file', { path: `lib/${chance.word()}.js` })),
      calling(
        chance,
        `Not there. ${chance.sentence(7)}`,
        call('read_file', { path, start_line: 120, end_line: 900_000 }),
      ),
      calling(chance, '', call('run_command', { command: `wc -l ${path} && head -n 60 ${path}` })),
      answering(chance),
    ],
  };
};

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
