/** One family's conversation with servers, Andiron and the raw clients turn about, and what it comes to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProfileFile } from '../../../src/protocol/model.ts';
import { everyFamily, type FamilyName } from '../../../src/sim/render/index.ts';
import { openSandboxForTests } from '../../helpers/mcp/mcp-world.ts';
import { measure, type Measured } from '../prefix/measure.ts';
import type { RawPolicy } from '../prefix/raw-client.ts';
import { asWrittenBy, policiesFor } from '../prefix/run.ts';
import { makePlugConversation } from './conversation.ts';

export interface PlugFigures {
  family: FamilyName;
  /** Tokens that the two tools add to the head. */
  headGrowth: number;
  /** Andiron ÷ best possible client, within turns. */
  excess: number;
  /** A client with all tools of the servers in its head ÷ the same, over all requests. */
  naive: number;
}

const coreTools = ['read_file', 'write_file', 'edit_file', 'list_files', 'glob', 'search', 'run_command'];
const profile: Partial<ProfileFile> = {
  contextTokens: 131_072,
  tools: [...coreTools, 'tool_search', 'tool_call'],
};

export async function measurePlugs(family: FamilyName, seed: number): Promise<PlugFigures> {
  const dir = mkdtempSync(join(tmpdir(), 'andiron-plugs-'));
  try {
    const conversation = makePlugConversation(seed, dir);
    const naive: RawPolicy = {
      echoThinking: false,
      textBesideCall: true,
      clock: false,
      tools: conversation.toolsNow,
    };
    const clients = policiesFor(family, 'full');
    const spoken = { ...conversation, turns: asWrittenBy(family, conversation.turns) };
    const measured = await measure(family, {
      conversation: spoken,
      policies: [...clients, naive],
      profile,
      seed,
      sandbox: openSandboxForTests,
    });
    const best = Math.min(...clients.map((_, index) => within(measured, index)));
    const bestOfAll = Math.min(...clients.map((_, index) => whole(measured, index)));
    return {
      family,
      headGrowth: measured.headTokens - (await headWithout(family, seed)),
      excess: sum(measured.steps.map((step) => (step.place === 'within' ? step.evaluated : 0))) / best,
      naive: whole(measured, clients.length) / bestOfAll,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function headWithout(family: FamilyName, seed: number): Promise<number> {
  const reply = { what: 'answer', thinking: '', text: 'Good morning.', calls: [] };
  const read = {
    what: 'read_file',
    thinking: '',
    text: '',
    calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }],
  };
  const { headTokens } = await measure(family, {
    conversation: {
      files: { 'notes.txt': 'one\n' },
      turns: [{ user: 'What is in notes.txt?', replies: [read, reply] }],
    },
    policies: [],
    profile: { ...profile, tools: coreTools },
    seed,
  });
  return headTokens;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const whole = ({ rivals }: Measured, index: number): number => sum(rivals[index]?.evaluated ?? []);
const within = ({ steps, rivals }: Measured, index: number): number =>
  sum(steps.map(({ place }, at) => (place === 'within' ? (rivals[index]?.evaluated[at] ?? 0) : 0)));

export const plugFamilies: readonly FamilyName[] = [...everyFamily.keys()];
