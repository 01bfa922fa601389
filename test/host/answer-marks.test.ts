/** A note that marks an answer goes wherever the answer goes: who reads it outside the window is told the same. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionUpdates } from '../../src/acp/session-updates.ts';
import { followTurn, type TurnListener } from '../../src/cli/follow-turn.ts';
import { answerSchema, sessionAnswerSchema } from '../../src/gateway/program-form.ts';
import { answerMark, isAnswerMark } from '../../src/rules/answer-mark.ts';
import type { NoteKind } from '../../src/protocol/model.ts';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { asksForOpening } from '../../src/sim/script/scripted-acts.ts';
import { transcript } from '../../src/text/en/transcript.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';
import { provenAbilities } from '../helpers/proven-models.ts';
import { smallSize } from '../helpers/small-models.ts';

const said = 'There is no saddle here.';
const mark = 'Nothing was changed or run.';
const marked = `${said}\n\n${mark}`;

/** A model that is led: it looks, finds nothing, and says why nothing was changed. */
const rules = script([
  rule(
    { where: asksForOpening },
    reply().constrained({
      steps: [
        { act: 'look', what: 'search for saddle' },
        { act: 'change', what: 'saddle to horse' },
        { act: 'answer', what: 'say that it is done' },
      ],
    }),
  ),
  rule({ resultCount: 0 }, reply().constrainedCall('search', { pattern: 'saddle' })),
  rule({}, reply().constrained({ answer_why_not: said })),
]);
/** Without looking ahead, so that its opening is its own. */
const answers: Script = (request) => rules(request);

const ignore = (): void => undefined;

let harness: GatewayHarness;
beforeEach(async () => {
  harness = await GatewayHarness.start(answers, {}, { known: () => provenAbilities(smallSize) });
});
afterEach(() => harness.close());

const ask = {
  model: 'developer',
  messages: [{ role: 'user' as const, content: 'Write horse where saddle stands.' }],
};

test('a program reads it under the answer, whole or as a stream, and goes on in the same session', async () => {
  const { text: token } = await harness.token({ level: 'admin' });
  const client = harness.openai(token);
  const whole = await client.chat.completions.create(ask);
  expect(whole.choices[0]?.message.content).toBe(marked);
  let streamed = '';
  for await (const chunk of await client.chat.completions.create({ ...ask, stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? '';
  expect(streamed).toBe(marked);
  // It finds the conversation by what the session holds.
  await harness.restartGateway();
  const history = [...ask.messages, { role: 'assistant' as const, content: marked }];
  await harness.openai(token).chat.completions.create({ ...ask, messages: [...history, ...ask.messages] });
  const { sessions } = await harness.owner.call('host/subscribe', {});
  expect(sessions).toHaveLength(2);
});

test('an address of Andiron’s own has it behind the content of an answer, and beside that of a row', async () => {
  const { text: token } = await harness.token({ level: 'admin' });
  const answered = await harness.post('/v1/messages', token, { text: 'Write horse where saddle stands.' });
  const { content, session_id: sessionId } = answerSchema.parse(JSON.parse(answered.body));
  expect(content).toBe(marked);
  const headers = { authorization: `Bearer ${token}` };
  const read = await harness.http('GET', `/v1/sessions/${sessionId ?? ''}?view=rows`, { headers });
  const { rows = [] } = sessionAnswerSchema.parse(JSON.parse(read.body));
  expect(rows.at(-1)).toMatchObject({ role: 'assistant', content: said, mark });
});

test('a terminal, an editor and an exported session have it too', async () => {
  const { rpc } = harness.world.openWindow();
  const { session } = await rpc.call('session/create', {});
  const sessionId = session.id;
  const heard: string[] = [];
  const listener: TurnListener = {
    onText: ignore,
    onTextEnd: ignore,
    onMark: (text) => heard.push(text),
    onModel: ignore,
    onTool: ignore,
    onPlan: ignore,
    onQuestion: ignore,
    onResolved: ignore,
  };
  const { signal } = new AbortController();
  const send = () => rpc.call('turn/start', { sessionId, text: 'Write horse where saddle stands.' });
  const result = await followTurn({ rpc, sessionId, send, listener, signal });
  expect([heard, result]).toMatchObject([[mark], { text: said, mark }]);

  const { snapshot } = await rpc.call('session/subscribe', { sessionId });
  const updates = new SessionUpdates('/w');
  expect(snapshot.items.flatMap((item) => updates.replay(item)).at(-1)).toMatchObject({
    sessionUpdate: 'agent_message_chunk',
    content: { text: mark },
  });

  const { markdown } = await rpc.call('session/export-markdown', { sessionId });
  expect(markdown).toContain(`## Andiron\n\n${said}\n\n> ${mark}\n`);
});

test('its words are those of the window, and a subagent’s answer is marked in its own card alone', () => {
  const item = { id: 'i', turnId: 't', index: 0, startedAt: 0, completedAt: 0, cut: false, text: '' };
  const kinds = Object.entries(transcript.notes) as [NoteKind, string][];
  const marks = kinds.filter(([note]) => isAnswerMark(note));
  expect(marks.map(([note]) => answerMark({ ...item, kind: 'note', note }))).toEqual(
    marks.map(([, words]) => words),
  );
  expect(marks).not.toHaveLength(kinds.length);
  expect(answerMark({ ...item, kind: 'note', note: 'unproven', parentCallId: 'c' })).toBeUndefined();
});
