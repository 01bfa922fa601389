/** The calls of one reply, one after another (G1): prepare → authorize → execute → finalize. */
import type { ToolDisplay, ToolState } from '../../protocol/model.ts';
import { escapeNotes } from '../prompt/notes.ts';
import type { ParsedCall, PreparedCall, ToolContext } from '../tools/tool.ts';
import type { WrittenCall } from './reply-writer.ts';
import { settingOf, type Run } from './run.ts';

/** H6: what every call that Stop reached has as its result. */
export const cancelledResult = 'operation cancelled by user';

const declinedResult =
  'Error: the person declined this call. Do not repeat it; go on without it, or ask what they want instead.';

/** Of a tool that a model made up. */
const longestName = 80;

interface Outcome {
  state: Extract<ToolState, 'done' | 'failed' | 'declined' | 'stopped'>;
  content: string;
  display: ToolDisplay | null;
  runMs: number | null;
}

const failed = (content: string): Outcome => ({ state: 'failed', content, display: null, runMs: null });
const stopped: Outcome = { state: 'stopped', content: cancelledResult, display: null, runMs: null };

/**
 * Gives every call exactly one result, whatever happens (X12 a). Resolves also after Stop, with the remaining calls
 * cancelled. `lastNote` is written into the last result, in the same transaction (design 5.4).
 */
export async function runCalls(
  calls: readonly WrittenCall[],
  lastNote: () => string,
  run: Run,
): Promise<void> {
  const { deps, emit, signal } = run;
  for (const [index, written] of calls.entries()) {
    const outcome = signal.aborted ? stopped : await runCall(written, run);
    const content = escapeNotes(outcome.content.trim());
    try {
      deps.log.settle(written.call.id, index === calls.length - 1 ? content + lastNote() : content);
    } finally {
      // What a tool did is shown, also where the disk does not keep it and the turn fails.
      emit({
        type: 'tool/finished',
        itemId: written.item.id,
        state: outcome.state,
        result: content,
        display: outcome.display,
        runMs: outcome.runMs,
      });
    }
  }
}

/** The calls of a reply that ended too early: none of them runs, the model is told why (design 4). */
export function refuseCutCalls(
  calls: readonly WrittenCall[],
  lastNote: () => string,
  { deps, emit }: Run,
): void {
  const result =
    'Tool error: the reply ended before it was complete (its output limit), so this call was not run. Make it shorter, or do it in parts.';
  for (const [index, { call, item }] of calls.entries()) {
    deps.log.settle(call.id, index === calls.length - 1 ? result + lastNote() : result);
    emit({ type: 'tool/finished', itemId: item.id, state: 'failed', result, display: null, runMs: null });
  }
}

async function runCall(written: WrittenCall, run: Run): Promise<Outcome> {
  const { input, deps, emit, signal } = run;
  const { profile } = settingOf(run).active;
  const parsed = prepare(written, run);
  if (!parsed.ok) return failed(parsed.error);
  const context: ToolContext = {
    workspace: deps.workspace,
    callId: written.call.id,
    sessionId: input.sessionId,
    signal,
    data: deps.data,
    agents: deps.agents,
    profiles: deps.profiles,
    output: (text) => emit({ type: 'tool/output', itemId: written.item.id, text }),
  };
  try {
    const checked = await parsed.call.check(context);
    if (!checked.ok) return failed(checked.result.content);
    const { item } = written;
    const request = { item, need: parsed.call.need, preview: checked.display, profile };
    const decision = await deps.authorize(request, emit, signal);
    if (decision === 'deny') return { ...stopped, state: 'declined', content: declinedResult };
  } catch (error) {
    if (signal.aborted) return stopped;
    throw error;
  }
  return execute(written, parsed.call, context, run);
}

/** A tool that the profile does not list does not exist for the model, whatever it remembers. */
function prepare({ call }: WrittenCall, run: Run): ParsedCall {
  const { deps } = run;
  const offered = settingOf(run).active.head.tools.map((tool) => tool.name);
  const tool = offered.includes(call.name) ? deps.tools.get(call.name) : undefined;
  if (tool) return tool.parse(call.args);
  const choice = offered.length > 0 ? `The tools are: ${offered.join(', ')}.` : 'There are no tools.';
  return {
    ok: false,
    error: `Tool error: there is no tool named ${call.name.slice(0, longestName)}. ${choice}`,
  };
}

async function execute(
  { call, item }: WrittenCall,
  prepared: PreparedCall,
  context: ToolContext,
  { deps, emit }: Run,
): Promise<Outcome> {
  emit({ type: 'turn/phase', phase: 'tool' });
  emit({ type: 'tool/started', itemId: item.id, sandboxed: sandboxState(prepared) });
  const startedAt = deps.clock.monotonic();
  deps.journal.started(call);
  const result = await prepared.execute(context).catch((error: unknown) => {
    deps.onInternalError(error);
    return { ok: false, content: 'Tool error: the tool failed inside Andiron.', display: null };
  });
  const runMs = deps.clock.monotonic() - startedAt;
  deps.journal.ended(call.id, result.ok, result.content);
  if (context.signal.aborted) return { ...stopped, display: result.display, runMs };
  return { state: result.ok ? 'done' : 'failed', content: result.content, display: result.display, runMs };
}

/** Only a command has something to be kept in; null = the question does not arise. */
function sandboxState({ need }: PreparedCall): boolean | null {
  return need.risk === 'execute' ? need.sandboxed : null;
}
