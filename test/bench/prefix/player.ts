/** The model of an engine: plays scripted replies in the form that each request asks for. */
import { summaryInstruction } from '../../../src/host/prompt/compaction.ts';
import { reply, type Reply, type Script, type ScriptRequest } from '../../../src/sim/index.ts';
import type { Json, JsonObject } from '../../../src/sim/render/index.ts';
import { grammarProblem, writeUnderGrammar } from '../../../src/sim/script/grammar.ts';
import type { ScriptedCall, ScriptedReply } from './conversation.ts';

/** Stands in a subagent's first message. */
const agentMark = 'You are a subagent';

/** A request's answer as it was given. */
export interface Played {
  scripted: ScriptedReply;
  isConstrained: boolean;
}

/** No two are the same, as no two conversations are. */
const summary = (number: number): ScriptedReply => ({
  what: 'summary',
  thinking: 'What matters goes into the summary.',
  text: `Goal: to know the sources.\nDone: files were read, notes were written, one header was added.\nKey values: this is summary ${number}.`,
  calls: [],
});

/** For Andiron: one reply after the other, and a summary whenever one is asked for. */
export class Player {
  /** In the order of the requests, of all turns. */
  readonly played: Played[] = [];
  /** Requests that no reply was scripted for. */
  readonly failures: string[] = [];
  #due: ScriptedReply[] = [];
  #summaries = 0;

  begin(replies: readonly ScriptedReply[]): void {
    this.#due = [...replies];
  }

  /** Replies that nobody has asked for yet. */
  get due(): readonly ScriptedReply[] {
    return this.#due;
  }

  readonly script: Script = (request) => {
    if (request.endpoint !== 'chat') return undefined;
    const isConstrained = request.format !== undefined;
    const scripted = this.#next(request);
    if (scripted === undefined) {
      this.failures.push(`No reply is left for: ${request.lastUser.slice(0, 200)}`);
      return undefined;
    }
    this.played.push({ scripted, isConstrained });
    const made = inForm(scripted, request);
    return scripted.isStopped ? made.hang() : made;
  };

  #next(request: ScriptRequest): ScriptedReply | undefined {
    if (request.lastUser === summaryInstruction) return summary((this.#summaries += 1));
    return request.format === undefined ? this.#due.shift() : this.#underGrammar(request);
  }

  /** The next call that the grammar allows; when there is none, the answer; when there may be none, some call. */
  #underGrammar({ format, messages }: ScriptRequest): ScriptedReply {
    const isAgents = messages.some(({ role, content }) => role === 'user' && content.includes(agentMark));
    const own = (each: ScriptedReply): boolean => (each.isAgents ?? false) === isAgents;
    const answer = this.#due.find((each) => own(each) && each.calls.length === 0);
    if (answer === undefined) throw new Error('Every conversation ends with an answer.');
    const end = this.#due.indexOf(answer);
    for (const [index, each] of this.#due.slice(0, end).entries()) {
      const call = each.calls.find((one) => fits(asWritten(one), format));
      if (call === undefined || !own(each)) continue;
      const others = each.calls.filter((one) => one !== call);
      this.#due.splice(index, 1, ...(others.length > 0 ? [{ ...each, calls: others }] : []));
      return only(each, call);
    }
    if (!fits({ answer: answer.text }, format)) return only(answer, someCall(format));
    // What the grammar never allowed is left out, a subagent among it.
    this.#due = this.#due.slice(end + 1);
    return answer;
  }
}

const only = (scripted: ScriptedReply, call: ScriptedCall): ScriptedReply => ({
  what: scripted.what.startsWith('agent') ? `agent: ${call.name}` : call.name,
  thinking: '',
  text: '',
  calls: [call],
});

/** Under a grammar a tool of another program is called by its own name. */
function asWritten({ name, arguments: args }: ScriptedCall): { call: string; with: JsonObject } {
  const { name: own, arguments: inner } = args;
  const isWrapped = name === 'tool_call' && typeof own === 'string' && isObject(inner);
  return isWrapped ? { call: own, with: inner } : { call: name, with: args };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fits(value: Json, format: unknown): boolean {
  return grammarProblem(format, writeUnderGrammar(value, format), false) === undefined;
}

/** Of tools that take no argument. */
function someCall(format: unknown): ScriptedCall {
  const name = ['list_files', 'list_profiles'].find((one) => fits({ call: one, with: {} }, format));
  if (name === undefined) throw new Error(`The scripted model has no call for ${JSON.stringify(format)}`);
  return { name, arguments: {} };
}

/** Under a grammar there is no thinking, no prose and one call. */
export function inForm({ thinking, text, calls }: ScriptedReply, { format }: ScriptRequest): Reply {
  if (format === undefined)
    return calls.reduce(
      (made, call) => made.toolCall(call.name, call.arguments),
      reply().thinking(thinking).text(text),
    );
  const [call] = calls;
  return call === undefined
    ? reply().constrainedAnswer(text)
    : reply().constrainedCall(asWritten(call).call, asWritten(call).with);
}
