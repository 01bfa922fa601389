/** One model request: the log goes out as it is, the reply comes in as items, its counters as usage. */
import type { RequestUsage } from '../../../protocol/model.ts';
import { contextParts } from '../../prompt/context-parts.ts';
import { countImages } from '../../prompt/token-estimate.ts';
import type { ModelRequest } from '../../providers/provider.ts';
import type { AskFor, Reply } from '../calling.ts';
import {
  createConstrainedReader,
  unwrapped,
  type ConstrainedEvent,
  type ConstrainedReply,
} from '../calls/constrained-reader.ts';
import { modeOfWay } from '../calls/ways.ts';
import { asSent } from './as-sent.ts';
import { buildRequest, learnTokens, toUsage } from './model-request.ts';
import type { Output } from '../output.ts';
import type { HistoryPort, RequestScope } from '../ports.ts';
import { proveCut } from '../prove-stop.ts';
import { watchForCircles, type Written } from '../repetition.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { streamCut, streamReply } from './stream-reply.ts';

/** A model that is in memory needs a tenth of this; where it took longer, it was loaded for this very request. */
const reloadMs = 1_000;

/** A reply that says nothing while it thinks this much is most likely going in circles. */
const maxThinkingChars = 12_000;

/** Throws what the provider throws; `writer` then holds what came so far. */
export async function askModel(
  iteration: number,
  wanted: AskFor,
  writer: ReplyWriter,
  scope: RequestScope,
  signal: AbortSignal,
): Promise<Reply> {
  const { setting, history, out } = scope;
  const { way, sampling, format, maxOutputTokens } = wanted;
  const asked = modeOfWay(way);
  const { model } = setting.lease;
  const messages = asSent(history.log.messages(), model, setting);
  const request = buildRequest({ purpose: 'main', messages, sampling, format, maxOutputTokens }, scope);
  const reader = asked === 'constrained' ? createConstrainedReader() : null;
  const reply: Reply = { asked, reason: 'stop', writer, missingTokens: null, broken: null };
  out.emit({ type: 'turn/phase', phase: 'prefill' });
  let written: Written = reader ? 'answer' : 'content';
  const runsInCircles = watchForCircles(() => written);
  const cut = new AbortController();
  let why: 'circle' | 'thinking' | null = null;
  let isEnded = false;
  for await (const event of streamReply(request, scope, signal, cut.signal)) {
    switch (event.type) {
      case 'opened':
        break;
      case 'done': {
        if (reader && writer.isSilent) reply.broken = takeConstrained(reader.end(), writer);
        writer.finish(event.reason === 'length');
        writer.extra = event.extra;
        const { text: content, thinking, calls } = writer;
        const reading = event.settle({ content, thinking, calls: calls.map(({ call }) => call) });
        const usage = { ...toUsage(iteration, event, setting, out.newId('req_')), reading };
        learnTokens(request, usage.promptTokens, model, scope.model.models);
        out.emit({ type: 'usage/measured', usage });
        noteReload(usage, out);
        measureContext(request, usage, history, out);
        return {
          ...reply,
          reason: event.reason,
          missingTokens: reader ? null : writer.missingTokens(event.counters),
        };
      }
      case 'repeated':
        isEnded = true;
        break;
      case 'text':
        if (!reader) writer.write(event);
        else
          for (const piece of reader.push(event.text)) {
            if (piece.type === 'calling') written = writer.writtenIn(piece.name);
            takePiece(piece, writer, out);
          }
        break;
      case 'thinking':
        writer.write(event);
        break;
      case 'call':
        writer.write(reader ? unwrapped(event) : event);
        break;
    }
    if (event.type === 'repeated' || runsInCircles(event)) why = 'circle';
    else if (writer.isSilent && writer.thinking.length > maxThinkingChars) why = 'thinking';
    if (why === null) continue;
    // Closed in a quiet moment, as by Stop, and leaving the loop waits for that.
    cut.abort();
    break;
  }
  if (why !== null) {
    if (reader && writer.isSilent) reply.broken = takeConstrained(reader.end(), writer);
    const reason = writer.keepBeforeCircle(reader !== null) ? 'repeated' : 'circle';
    if (why === 'circle') out.note('repeat', 'The reply ran in circles, so it was cut.');
    if (!isEnded) await proveCut(scope, signal);
    return { ...reply, reason };
  }
  throw streamCut();
}

function takePiece(piece: ConstrainedEvent, writer: ReplyWriter, out: Output): void {
  if (piece.type === 'text') writer.write(piece);
  else out.emit({ type: 'turn/phase', phase: 'call' });
}

/** An answer was written as it came. */
function takeConstrained(read: ConstrainedReply, writer: ReplyWriter): Reply['broken'] {
  if (read.type === 'broken') return read;
  if (read.type === 'call') writer.write({ ...read, id: undefined });
  return null;
}

/** Andiron loads before it asks, so a load inside of a request is somebody else's doing: an incident. */
function noteReload({ model, loadMs }: RequestUsage, out: Output): void {
  const tookMs = loadMs ?? 0;
  if (tookMs < reloadMs) return;
  const seconds = (tookMs / 1000).toFixed(0);
  const text = `${model} was reloaded during the turn (${seconds} s), and the conversation was re-read. Another program loaded it differently, or its process ended.`;
  out.note('reload', text);
}

/** The engine's own count replaces the guess. The reply it wrote will be the next message of the log. */
function measureContext(request: ModelRequest, usage: RequestUsage, history: HistoryPort, out: Output): void {
  if (usage.promptTokens === null) return;
  const tokens = usage.promptTokens + (usage.outputTokens ?? 0);
  const { head, messages } = request;
  history.log.setMeasured({
    tokens,
    messages: history.log.messages().length + 1,
    images: countImages(messages),
  });
  out.emit({
    type: 'context/measured',
    context: {
      usedTokens: tokens,
      windowTokens: request.plan.options.num_ctx,
      estimated: false,
      parts: contextParts(
        { model: usage.model, head, messages, opening: history.opening(), promptTokens: usage.promptTokens },
        history.contextParts?.(),
      ),
    },
  });
}
