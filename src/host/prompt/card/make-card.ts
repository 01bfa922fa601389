/** Reads a template card off rendered prompts. Pure: the records of an engine give the same card as the engine itself. */
import type { KeptThinking, Reach, TemplateCard } from './card.ts';
import { landmarks } from './conversation.ts';
import { readMarks } from './marks.ts';
import type { Renders } from './probes.ts';
import { beginOfText, commonLength, hasDate, readArguments } from './spelling.ts';

type Answer = 'same' | 'differs' | 'refused' | null;

/** undefined = no conversation was rendered, so the engine refuses for reasons of its own: no card. */
export function makeCard(renders: Renders): TemplateCard | undefined {
  const look = lookInto(renders);
  const loop = look.first('main.absent.echo.t2', 'id9.t2', 'single.absent.echo.t2');
  const whole = loop ?? look.prompt('chat.absent.echo.u2');
  if (whole === undefined) return undefined;
  return {
    version: 2,
    conversation: conversationOf(look),
    order: (['system', 'tools', 'user'] as const)
      .filter((name) => whole.includes(landmarks[name]))
      .toSorted((a, b) => whole.indexOf(landmarks[a]) - whole.indexOf(landmarks[b])),
    tools: { place: toolsPlace(look, loop), inLoop: shows(loop, landmarks.tools) },
    systemInLoop: whole.includes(landmarks.system),
    thinking: thinkingOf(look),
    textBesideCall: textBesideCall(look, loop),
    twoCalls: twoCalls(look),
    resultsShown: loop === undefined ? null : allResults(loop, look.isSingle),
    withoutTools: withoutTools(look),
    secondSystem: secondSystem(look),
    userAfterUserRefused: look.refused('shape.two_users'),
    userAfterResultRefused: look.refused(
      'shape.user_after_tool',
      'id9.user_after_tool',
      'single.user_after_tool',
    ),
    ids: {
      noCallId: look.besides('main.absent.echo.t1', 'ids.no_tool_call_id'),
      noToolName: look.besides('main.absent.echo.t1', 'ids.no_tool_name'),
      neither: look.besides('main.absent.echo.t1', 'ids.neither'),
    },
    arguments: readArguments(look.prompt('main.absent.echo.u1') ?? '', (name) =>
      look.first(`args.${name}`, `id9.args.${name}`),
    ),
    date: dateOf(look),
    bos: beginOfText(whole),
    marks: readMarks(renders),
    refusals: [...renders].flatMap(([id, render]) => ('refused' in render ? [id] : [])),
  };
}

interface Look {
  prompt(id: string): string | undefined;
  /** The first of them that was rendered. */
  first(...ids: string[]): string | undefined;
  /** Whether it was refused, by the first of them that was rendered, else asked; null = none was asked. */
  refused(...ids: string[]): boolean | null;
  /** How a prompt differs from another one. */
  besides(id: string, other: string): Answer;
  /** The template takes one call per message only. */
  isSingle: boolean;
}

function lookInto(renders: Renders): Look {
  const prompt = (id: string): string | undefined => {
    const render = renders.get(id);
    return render && 'prompt' in render ? render.prompt : undefined;
  };
  const first = (...ids: string[]): string | undefined =>
    ids.map(prompt).find((found) => found !== undefined);
  return {
    prompt,
    first,
    refused: (...ids) => (ids.some((id) => renders.has(id)) ? first(...ids) === undefined : null),
    besides: (id, other) => {
      if (prompt(id) === undefined || !renders.has(other)) return null;
      if (prompt(other) === undefined) return 'refused';
      return prompt(other) === prompt(id) ? 'same' : 'differs';
    },
    isSingle: first('main.absent.echo.t2', 'id9.t2') === undefined,
  };
}

const shows = (prompt: string | undefined, text: string): boolean | null =>
  prompt === undefined ? null : prompt.includes(text);

function conversationOf(look: Look): TemplateCard['conversation'] {
  if (look.prompt('main.absent.echo.t2') !== undefined) return 'any';
  if (look.prompt('id9.t2') !== undefined) return 'nine-character ids';
  if (look.prompt('single.absent.echo.t2') !== undefined) return 'one call per message';
  return 'no tools';
}

function toolsPlace(look: Look, loop: string | undefined): TemplateCard['tools']['place'] {
  const later = look.first('main.absent.echo.u2', 'id9.u2', 'single.absent.echo.u2');
  if (loop === undefined || later === undefined) return null;
  const prompts = [look.prompt('main.absent.echo.u1') ?? '', loop, later];
  if (!prompts.some((prompt) => prompt.includes(landmarks.tools))) return 'nowhere';
  return later.indexOf(landmarks.tools) > later.indexOf(landmarks.user) ? 'last user message' : 'head';
}

function thinkingOf(look: Look): TemplateCard['thinking'] {
  const off = kept(look, 'false');
  return {
    supported: negated(look.refused('main.true.echo.u1', 'chat.true.echo.u2')),
    byDefault: kept(look, 'absent') ?? { inLoop: null, firstInLoop: null, afterNextUser: null },
    off,
    defaultIsOn: sameThroughout(look, 'absent', 'true'),
    defaultIsOff: sameThroughout(look, 'absent', 'false'),
    switchAtUser: thinkReach(look, 'u1', landmarks.user),
    switchInLoop: thinkReach(look, 't2', landmarks.editResult),
  };
}

const negated = (value: boolean | null): boolean | null => (value === null ? null : !value);

function kept(look: Look, think: 'absent' | 'false'): KeptThinking | null {
  const others = think === 'absent' ? ['id9', 'single.absent.echo'] : [];
  const of = (end: string) =>
    look.first(`main.${think}.echo.${end}`, ...others.map((stem) => `${stem}.${end}`));
  const [loop, later] = [of('t2'), of('u2')];
  if (loop !== undefined) {
    return {
      inLoop: loop.includes(landmarks.newestThinking),
      firstInLoop: loop.includes(landmarks.firstThinking),
      afterNextUser: shows(later, landmarks.newestThinking),
    };
  }
  const chat = look.prompt(`chat.${think}.echo.u2`);
  if (chat === undefined) return null;
  return { inLoop: null, firstInLoop: null, afterNextUser: chat.includes(landmarks.chatThinking) };
}

/** Over all prompts that were asked in both ways; null = there is no such prompt. */
function sameThroughout(look: Look, a: string, b: string): boolean | null {
  const both = ['u1', 't2', 'u2'].flatMap((end) => {
    const [one, other] = [look.prompt(`main.${a}.echo.${end}`), look.prompt(`main.${b}.echo.${end}`)];
    return one !== undefined && other !== undefined ? [one === other] : [];
  });
  return both.length === 0 ? null : both.every(Boolean);
}

/** What switching think off changes; a model that takes no `think:true` is asked without `think` instead. */
function thinkReach(look: Look, end: string, newest: string): Reach | null {
  const on = look.first(`main.true.echo.${end}`, `main.absent.echo.${end}`);
  const off = look.prompt(`main.false.echo.${end}`);
  if (on === undefined || off === undefined) return null;
  if (off.startsWith(on)) return 'nothing';
  const common = commonLength(on, off);
  if (common > on.indexOf(newest)) return 'end';
  return common > on.indexOf(landmarks.user) ? 'log' : 'head';
}

/** A landmark behind the first user text, before that of a result; -1 = not there. */
function callPosition(prompt: string, call: string, result: string): number {
  const from = Math.max(0, prompt.indexOf(landmarks.user));
  const position = prompt.indexOf(call, from);
  const end = prompt.indexOf(result, from);
  return position >= 0 && (end < 0 || position < end) ? position : -1;
}

const showsCall = (prompt: string | undefined): boolean | null =>
  prompt === undefined ? null : callPosition(prompt, landmarks.readPath, landmarks.readResult) >= 0;

function textBesideCall(look: Look, loop: string | undefined): TemplateCard['textBesideCall'] {
  return {
    place: loop === undefined ? null : textPlace(loop),
    callWithText:
      showsCall(look.prompt('single.absent.echo.t1')) ?? (loop === undefined ? null : firstCall(loop) >= 0),
    callAlone: showsCall(look.prompt('single.call_without_text.t1')),
  };
}

function firstCall(loop: string): number {
  const positions = [
    callPosition(loop, landmarks.searchCall, landmarks.searchResult),
    callPosition(loop, landmarks.readCall, landmarks.readResult),
  ].filter((position) => position >= 0);
  return positions.length === 0 ? -1 : Math.min(...positions);
}

function textPlace(loop: string): TemplateCard['textBesideCall']['place'] {
  const text = loop.indexOf(landmarks.text);
  if (text < 0) return 'dropped';
  if (text > loop.indexOf(landmarks.readResult)) return 'after result';
  const call = firstCall(loop);
  return call < 0 || text < call ? 'before call' : 'after call';
}

function twoCalls(look: Look): TemplateCard['twoCalls'] {
  const loop = look.first('main.absent.echo.t2', 'id9.t2');
  if (loop === undefined) return look.prompt('single.absent.echo.t2') === undefined ? null : 'refused';
  const shown = [
    callPosition(loop, landmarks.searchCall, landmarks.searchResult),
    callPosition(loop, landmarks.readCall, landmarks.readResult),
  ].filter((position) => position >= 0).length;
  if (shown === 0) return null;
  return shown === 2 ? 'kept' : 'one lost';
}

function allResults(prompt: string, isSingle: boolean): boolean {
  const results = [landmarks.readResult, landmarks.editResult];
  return [...results, ...(isSingle ? [] : [landmarks.searchResult])].every((each) => prompt.includes(each));
}

function withoutTools(look: Look): TemplateCard['withoutTools'] {
  const both = look.first('no_tools.t2', 'id9.no_tools.t2');
  const prompt = both ?? look.prompt('single.no_tools.t2');
  if (prompt === undefined) return { calls: null, results: null };
  // The call that has no text beside it: what a text does to a call is another question.
  return { calls: prompt.includes(landmarks.editCall), results: allResults(prompt, both === undefined) };
}

function secondSystem(look: Look): TemplateCard['secondSystem'] {
  const ids = ['shape.system_mid', 'single.system_mid', 'id9.system_mid'];
  const prompt = look.first(...ids);
  if (prompt === undefined) return look.refused(...ids) === null ? null : 'refused';
  const position = prompt.indexOf(landmarks.reminder);
  if (position < 0) return 'dropped';
  return position < prompt.indexOf(landmarks.user) ? 'moved to the head' : 'in place';
}

function dateOf(look: Look): TemplateCard['date'] {
  if (hasDate(look.first('main.absent.echo.u1', 'chat.absent.echo.u2') ?? '')) return 'always';
  return hasDate(look.prompt('shape.no_system_no_tools') ?? '') ? 'without system text' : 'never';
}
