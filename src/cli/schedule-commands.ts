/** `andiron schedule`: jobs, as the settings show them. */
import { AndironError } from '../protocol/errors.ts';
import type { Job, JobRun } from '../protocol/schedule-methods.ts';
import { answerMark } from '../rules/answer-mark.ts';
import { visibleName } from '../rules/visible-text/visible-text.ts';
import type { CliOutput } from './cli-output.ts';
import type { ScheduleCommand } from './command-arguments.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import type { HostRpc } from './host-rpc.ts';

export async function runScheduleCommand(
  command: ScheduleCommand,
  rpc: HostRpc,
  { output, signal }: { output: CliOutput; signal: AbortSignal },
): Promise<ExitCode> {
  switch (command.action) {
    case 'list': {
      const { jobs } = await rpc.call('schedule/list', {});
      for (const job of jobs) {
        if (command.json) output.json(job);
        else output.line(jobLine(job));
      }
      if (jobs.length === 0) output.note('There are no jobs yet.');
      return exitCodes.done;
    }
    case 'add': {
      const { defaults } = await rpc.call('host/subscribe', {});
      const { profile, ...given } = command.job;
      const { job } = await rpc.call('schedule/add', {
        job: { ...given, profileId: profile ?? defaults.profileId },
      });
      output.line(job.id);
      output.note(`Next: ${timeOf(job.nextAt)}. Jobs run while Andiron is open.`);
      return exitCodes.done;
    }
    case 'remove':
      await rpc.call('schedule/remove', { jobId: command.id });
      output.note(`Removed: ${visibleName(command.id)}`);
      return exitCodes.done;
    case 'run':
      return runNow(command.id, rpc, { output, signal });
  }
}

/** Waits for its end: a host that was started for this command ends with it. */
async function runNow(
  jobId: string,
  rpc: HostRpc,
  { output, signal }: { output: CliOutput; signal: AbortSignal },
): Promise<ExitCode> {
  let wake: (() => void) | null = null;
  let isClosed = false;
  rpc.onEvent((topic) => topic === 'host' && wake?.());
  rpc.onClose(() => {
    isClosed = true;
    wake?.();
  });
  await rpc.call('host/subscribe', {});
  const known = new Set((await find(jobId, rpc)).runs.map(({ id }) => id));
  await rpc.call('schedule/run-now', { jobId });
  let isStopping = false;
  const stop = (): void => {
    isStopping = true;
    wake?.();
  };
  signal.addEventListener('abort', stop, { once: true });
  for (;;) {
    const news = new Promise<void>((resolve) => (wake = resolve));
    if (isClosed) throw new AndironError('disconnected', 'Andiron ended meanwhile.', 'Look at the schedule.');
    const run = (await find(jobId, rpc)).runs.find(({ id, isManual }) => isManual && !known.has(id));
    if (run && run.state !== 'running') return await report(run, rpc, output);
    if (isStopping && run?.sessionId != null) {
      isStopping = false;
      output.note('Stopping.');
      await rpc.call('turn/stop', { sessionId: run.sessionId, turnId: run.turnId ?? undefined });
    }
    await news;
  }
}

async function find(jobId: string, rpc: HostRpc): Promise<Job> {
  const { jobs } = await rpc.call('schedule/list', {});
  const job = jobs.find(({ id }) => id === jobId);
  if (job) return job;
  throw new AndironError('not_found', `There is no job ${jobId}.`, '"andiron schedule list" lists them.');
}

async function report(run: JobRun, rpc: HostRpc, output: CliOutput): Promise<ExitCode> {
  const { state, reason, detail, sessionId, turnId } = run;
  if (state === 'ran' || state === 'late') {
    const { snapshot } = await rpc.call('session/subscribe', { sessionId: sessionId ?? '' });
    const own = snapshot.items.filter((item) => item.turnId === turnId);
    const answer = own.findLast(({ kind }) => kind === 'text');
    output.answer(answer?.kind === 'text' ? answer.text : '');
    output.endAnswer();
    for (const item of own) {
      const mark = answerMark(item);
      if (mark !== undefined) output.note(mark);
    }
    return exitCodes.done;
  }
  output.note(detail === '' ? `The run is ${state}: ${reason ?? 'unknown'}.` : detail);
  if (reason === 'stopped') return exitCodes.stopped;
  return reason === 'step_limit' ? exitCodes.capped : exitCodes.failed;
}

function jobLine({ id, name, isPaused, nextAt, runs: [last] }: Job): string {
  const state = last ? [last.state, ...(last.reason === null ? [] : [last.reason])].join(':') : 'new';
  const next = isPaused ? 'paused' : timeOf(nextAt);
  return [id, state, next, name].map(visibleName).join('  ');
}

const timeOf = (at: number | null): string =>
  at === null ? 'none' : `${new Date(at).toISOString().slice(0, 16)}Z`;
