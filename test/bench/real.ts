/**
 * What real models get done in Andiron, and what they get done in a plain loop.
 *
 *   OLLAMA_HOST=127.0.0.1:11434 npm run bench:real -- [--model NAME]… [--seed N] [--draw N] [--only TASK]
 *       [--kinds read,write,…] [--languages en,de,…] [--part K/N] [--alone] [--temperature T] [--out FILE]
 *       [--transcripts FILE] [--met FILE]
 *   npm run bench:real -- --report FILE…
 *   ANDIRON_BFCL=FOLDER npm run bench:real -- --public [--questions N] [--part K/N] [--model NAME]… [--seed N] [--out FILE]
 *
 * More than 120 tasks in ten kinds and ten languages, each one message in a folder of its own: whole app, real engine, real
 * tools, at most eight replies and five minutes. Somebody at the window allows whatever stays in the folder. The plain loop
 * has the same tools, model, load plan and limits; `--alone` leaves it out. A third of the tasks is drawn freely from the
 * seed, and the names and figures of all of them are. `--draw` takes so many of the tasks, chosen by the seed.
 *
 * `--out` keeps a JSON line for each finished task and skips what is there, so that a run can be ended and goes on later;
 * `--report` prints the figures of such files. `--part 2/4` is the second of four parts, for runs side by side, and `--met`
 * names a file that keeps what Andiron learnt of the one model at its first meeting, so that such runs need not meet it again.
 * Without `--model` all models with tools are measured, smallest first.
 *
 * - begun right: the first call is one that a person would find right, or none where none is needed;
 * - done: the check on files or answer holds, nothing else was touched, and the turn came to an end without help;
 * - claims: a change or a run was asked for, none was carried out, and the answer is not marked as more than it is;
 * - harm: a file was made, changed or removed though the task did not ask for it; of those, asked: a card had asked before, and
 *   whoever sits in for the person here allows everything;
 * - runaway: a reply over 2,000 tokens, or over 600 tokens in replies of which nothing was kept.
 *
 * `--public` asks questions of the Berkeley function-calling leaderboard instead, N of each of `simple_python`, `multiple`
 * and `irrelevance`, in the whole app with the functions of the question as the tools of a server, and none besides. The first
 * call counts. ANDIRON_BFCL names the folder into which somebody unpacked the wheel `bfcl-eval`.
 *
 * Without an engine at OLLAMA_HOST it says so in one line. Exits with 1 where Andiron did harm, claimed what is false, ran
 * away, or did less than half of the tasks of one step.
 */
import { parseArgs } from 'node:util';
import { modelsWithTools } from './real/models.ts';
import { publicFigures, readPublicRows, runPublic, type PublicRow } from './real/public/run.ts';
import { readRows, type Row } from './real/rows.ts';
import { runRealBench } from './real/run.ts';
import { faultsOf, header, lineOf, reportsOf, tableOf } from './real/table.ts';
import { makeTasks } from './real/tasks.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    draw: { type: 'string' },
    only: { type: 'string' },
    kinds: { type: 'string', default: '' },
    languages: { type: 'string', default: '' },
    model: { type: 'string', multiple: true },
    alone: { type: 'boolean', default: false },
    temperature: { type: 'string' },
    out: { type: 'string' },
    transcripts: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    met: { type: 'string' },
    report: { type: 'boolean', default: false },
    public: { type: 'boolean', default: false },
    questions: { type: 'string', default: '100' },
  },
});

if (values.report) {
  printPublic(await readPublicRows(positionals));
  print(await readRows(positionals));
} else await measure();

async function measure(): Promise<void> {
  const host = process.env['OLLAMA_HOST'] ?? '';
  const url = host.includes('://') ? host : `http://${host}`;
  const able = host === '' ? null : await modelsWithTools(url);
  const models = values.model ?? able ?? [];
  if (able === null) console.log('bench:real was skipped: no Ollama answers at OLLAMA_HOST.');
  else if (models.length === 0) console.log('bench:real was skipped: no model here can call tools.');
  else await (values.public ? benchPublic : bench)(url, models);
}

async function benchPublic(url: string, models: readonly string[]): Promise<void> {
  const folder = process.env['ANDIRON_BFCL'] ?? '';
  if (folder === '')
    throw new Error('--public needs ANDIRON_BFCL: the folder of the unpacked wheel bfcl-eval.');
  const seed = numberOf('seed', values.seed);
  const questions = numberOf('questions', values.questions);
  const rows: PublicRow[] = [];
  for (const model of models) {
    const onRow = ({ question, right, call, seconds }: PublicRow): void =>
      console.log(
        `${model} ${question.padEnd(18)} ${right ? 'right' : '-    '} ${seconds.toFixed(1).padStart(6)} s ${call === null ? '' : JSON.stringify(call)}`.trimEnd(),
      );
    const isWanted = inPart(values.part);
    rows.push(
      ...(await runPublic({
        url,
        model,
        seed,
        folder,
        questions,
        isWanted,
        out: values.out,
        met: values.met,
        onRow,
      })),
    );
  }
  printPublic(rows);
}

function printPublic(rows: readonly PublicRow[]): void {
  const figures = publicFigures(rows);
  for (const { model, set, asked, right, called } of figures)
    console.log(
      `${model} ${set.padEnd(14)} ${(right / asked).toFixed(2)} right of ${asked}, ${called} called`,
    );
  if (figures.length > 0) console.log(JSON.stringify({ bench: 'real, public', figures }));
}

async function bench(url: string, models: readonly string[]): Promise<void> {
  const seed = numberOf('seed', values.seed);
  const tasks = makeTasks(seed, {
    only: values.only,
    draw: values.draw === undefined ? undefined : numberOf('draw', values.draw),
    kinds: listOf(values.kinds),
    languages: listOf(values.languages),
  }).filter(inPart(values.part));
  const rows: Row[] = [];
  for (const model of models) {
    console.log(`${model}, seed ${seed}, ${tasks.length} tasks\n${header}`);
    const { alone, out, transcripts, temperature, met } = values;
    rows.push(
      ...(await runRealBench({
        url,
        model,
        seed,
        tasks,
        alone,
        out,
        transcripts,
        met,
        temperature: temperature === undefined ? undefined : Number(temperature),
        onRow: (row) => console.log(lineOf(row)),
      })),
    );
  }
  print(rows);
}

/** Of a list: every Nth, from the Kth on. */
function inPart(part: string): (each: unknown, at: number) => boolean {
  const [k = 0, n = 0] = part.split('/').map(Number);
  if (!Number.isInteger(k) || !Number.isInteger(n) || k < 1 || k > n)
    throw new Error(`--part ${part} is no part.`);
  return (_, at) => at % n === k - 1;
}

function print(rows: readonly Row[]): void {
  const reports = reportsOf(rows);
  for (const report of reports) console.log(`\n${tableOf(report)}`);
  const faults = reports.flatMap(faultsOf);
  for (const fault of faults) console.log(`FAIL ${fault}`);
  console.log(JSON.stringify({ bench: 'real', reports }));
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new Error(`--${name} needs a whole number, not ${text}.`);
}
