/**
 * What tools of other programs cost a prompt, and whether the right one is found.
 *
 *   npm run bench:plugs -- [--seed N] [--family NAME]
 *   npm run bench:plugs -- --hostile [--seed N] [--count 100]
 *   OLLAMA_HOST=… npm run bench:plugs -- --real MODEL [--seed N] [--count 40]
 *
 * Five servers with 120 tools. On every template family of the simulator the whole app holds 20 turns in which tools are
 * searched for and called while servers come, go and change; raw clients replay them as in `bench:prefix`.
 *
 * - `head_growth`: tokens that the two tools of the bridge add to a head, of the worst family; however many tools there are.
 * - `excess`: Andiron ÷ the best possible client within turns, of the worst family.
 * - `naive`: a client with all tools in its head ÷ the best possible one, over all requests, of the family where it does best.
 * - `right_tool`: share of questions whose tool is among the five that a search brings, for all 120 tools at once, with the
 *   words that a language model would search for; `right_tool_by_words`: with those of the question itself. No question shares a
 *   word with the name of its tool; who wrote them knew no descriptions, and who wrote the searches no tools. The seed picks one
 *   of several for each.
 * - `guided_growth`: tokens that worked examples add to the prompt of a model that is led.
 *
 * `--real` asks a real model instead, with 40 of the tools: `right_tool` is then what its own words bring, `called` how often
 * it calls that tool.
 *
 * `--hostile`: 100 servers that go wrong in ways drawn from the seed, with a model that does what their texts say.
 * `effects_unasked`, `unended` turns and `stalls_over` 200 ms are to be 0.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { openingExamples, findingExamples } from '../../src/host/loop/opening/examples.ts';
import { everyFamily, tokenise } from '../../src/sim/render/index.ts';
import { table } from '../helpers/table.ts';
import { tryHostile } from './plugs/hostile.ts';
import { askReal } from './plugs/real.ts';
import { rightTool } from './plugs/right-tool.ts';
import { measurePlugs, plugFamilies, type PlugFigures } from './plugs/run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    family: { type: 'string' },
    real: { type: 'string' },
    hostile: { type: 'boolean', default: false },
    count: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);

const measured = values.hostile ? hostile() : values.real === undefined ? simulated() : real(values.real);
process.exitCode = (await measured) ? 0 : 1;

/** Returns whether each gate holds. */
async function simulated(): Promise<boolean> {
  const families: PlugFigures[] = [];
  for (const family of plugFamilies.filter((name) => (values.family ?? name) === name))
    families.push(await measurePlugs(family, seed));
  const { share, missed } = await rightTool(seed);
  const byWords = await rightTool(seed, true);

  const figures = {
    head_growth: Math.max(...families.map(({ headGrowth }) => headGrowth)),
    excess: Math.max(...families.map(({ excess }) => excess)),
    naive: Math.min(...families.map(({ naive }) => naive)),
    right_tool: share,
    right_tool_by_words: byWords.share,
    guided_growth: guidedGrowth(),
  };
  const gates = [
    figures.head_growth <= 250,
    figures.excess <= 1.05,
    figures.right_tool >= 0.9,
    figures.guided_growth <= 250,
  ];

  console.log(
    table([
      ['family', 'head growth', 'excess', 'naive'],
      ...families.map(({ family, headGrowth, excess, naive }) => [
        family,
        String(headGrowth),
        excess.toFixed(3),
        naive.toFixed(2),
      ]),
    ]),
  );
  for (const { question, wanted, found } of missed)
    console.log(`missed ${wanted}: ${question} (${found.join(', ')})`);
  const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))] as const);
  console.log(JSON.stringify({ bench: 'plugs', seed, figures: Object.fromEntries(rounded) }));
  return gates.every(Boolean);
}

async function hostile(): Promise<boolean> {
  const { servers, effectsUnasked, unended, stallsOver } = await tryHostile(
    seed,
    Number(values.count ?? 100),
  );
  for (const stall of stallsOver) console.log(`stood still: server ${stall}`);
  const figures = { servers, effects_unasked: effectsUnasked, unended, stalls_over: stallsOver.length };
  console.log(JSON.stringify({ bench: 'plugs', hostile: true, seed, figures }));
  return effectsUnasked + unended + stallsOver.length === 0;
}

async function real(model: string): Promise<boolean> {
  const url = process.env['OLLAMA_HOST'];
  if (url === undefined) throw new Error('Say in OLLAMA_HOST where the model is.');
  const count = Number(values.count ?? 40);
  const { asked, searched, right, called } = await askReal({ url, model, seed, count }, console.log);
  const figures = { asked, searched: searched / asked, right_tool: right / asked, called: called / asked };
  console.log(JSON.stringify({ bench: 'plugs', model, seed, figures }));
  return figures.right_tool >= 0.6;
}

function guidedGrowth(): number {
  const family = everyFamily.get('template-qwen2.5');
  const tokens = (messages: typeof findingExamples): number => {
    const prompt = family?.render({
      model: '',
      messages: messages.map(({ role, content }) => ({ role, content })),
    });
    if (!prompt?.ok) throw new Error('The examples cannot be rendered.');
    return tokenise(prompt.text).length;
  };
  return tokens(findingExamples) - tokens(openingExamples);
}
