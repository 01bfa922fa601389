/** Telegram's messages on their way to the agent and back, over a stand-in of Telegram's server. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCarrier } from '../../src/bridges/carrier.ts';
import { createTelegramBridge } from '../../src/bridges/telegram/telegram-bridge.ts';
import type { Log } from '../../src/platform/log.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script, type Reply, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { botToken, TelegramStandIn } from '../helpers/telegram-stand-in.ts';

let world: World;
let telegram: TelegramStandIn;
let carrier: ReturnType<typeof createCarrier>;
let logged: string[];
/** On a slow machine seconds pass before somebody waits in line. */
const clock = skippableClock(2_000);
const log: Log = {
  info: (...all) => void logged.push(JSON.stringify(all)),
  warn: (...all) => void logged.push(JSON.stringify(all)),
  error: (...all) => void logged.push(JSON.stringify(all.map(String))),
};

async function start(answers: Script, token = botToken): Promise<string> {
  world = await World.start({ sim: { script: answers } });
  return startBridge(token);
}

function startBridge(token = botToken): Promise<string> {
  const bridge = createTelegramBridge({
    token,
    apiRoot: telegram.url,
    clock,
    log,
    onFailed: (error) => void logged.push(String(error)),
  });
  carrier = createCarrier({ bridge, clock, log });
  const [bridgeEnd, hostEnd] = createTransportPair();
  world.host.connectBridge(hostEnd, 'telegram');
  carrier.connect(bridgeEnd);
  return carrier.start();
}

beforeEach(async () => {
  logged = [];
  telegram = await TelegramStandIn.start();
});
afterEach(async () => {
  if (logged.join('\n').includes(botToken)) throw new Error('The token stands in the log.');
  await carrier.stop();
  await world.close();
  await telegram.close();
});

const answering = (text: string): Script => script([rule({}, reply().text(text))]);
const chats = () => world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
const lastUser = (): string =>
  (chats().at(-1)?.body as { messages: { role: string; content: string }[] } | undefined)?.messages.findLast(
    ({ role }) => role === 'user',
  )?.content ?? '';
const group = { id: -5, type: 'supergroup', title: 'Group' };
const mentioning = (text: string) => ({
  text,
  entities: [{ type: 'mention', offset: text.indexOf('@'), length: '@andiron_bot'.length }],
});

test('A direct message is answered in its chat, as a reply to it, while typing is shown (X10)', async () => {
  expect(await start(answering('Good day.'))).toBe('@andiron_bot');
  const id = telegram.write({ text: 'Hello.' });
  await telegram.until(() => telegram.texts().length === 1);
  expect(telegram.sent[0]).toMatchObject({
    method: 'sendChatAction',
    params: { chat_id: '100', action: 'typing' },
  });
  expect(telegram.sent.find(({ method }) => method === 'sendMessage')?.params).toMatchObject({
    chat_id: '100',
    text: 'Good day.',
    parse_mode: 'HTML',
    reply_parameters: { message_id: id, allow_sending_without_reply: true },
  });
  expect(lastUser()).toContain('Hello.');
  expect(lastUser()).not.toContain('Ann:');
});

test('In a group only a message with the bot’s name, or a reply to it, is answered, without that name (X5)', async () => {
  await start(answering('Here.'));
  telegram.write({ chat: group, text: 'Nobody is asked.' });
  telegram.write({ chat: group, ...mentioning('@other_bot1 what is this?') });
  telegram.write({ chat: group, text: 'Of a bot.', from: { id: 8, is_bot: true, first_name: 'B' } });
  telegram.write({ chat: group, ...mentioning('Tell me, @andiron_bot, the time.') });
  await telegram.until(() => telegram.texts().length === 1);
  expect(lastUser()).toContain('Ann: Tell me, , the time.');
  telegram.write({ chat: group, text: 'And you?', reply_to_message: { message_id: 9, from: { id: 42 } } });
  await telegram.until(() => telegram.texts().length === 2);
  expect(lastUser()).toContain('Ann: And you?');
  expect(chats().length).toBe(2);
});

test('A thread is a conversation of its own, and is answered there (X5)', async () => {
  await start(answering('Here.'));
  telegram.write({
    chat: group,
    ...mentioning('@andiron_bot one'),
    message_thread_id: 3,
    is_topic_message: true,
  });
  telegram.write({ chat: group, ...mentioning('@andiron_bot two') });
  await telegram.until(() => telegram.texts().length === 2);
  const threads = telegram.sent
    .filter(({ method }) => method === 'sendMessage')
    .map(({ params }) => params['message_thread_id']);
  expect(new Set(threads)).toEqual(new Set([3, undefined]));
  const { sessions } = await world.openWindow().rpc.call('host/subscribe', {});
  expect(new Set(sessions.map(({ place }) => place?.thread))).toEqual(new Set(['3', '']));
});

test('A long answer comes in several messages, in order (X10)', async () => {
  const paragraphs = Array.from({ length: 6 }, (_, n) =>
    Array.from({ length: 260 }, (_each, at) => `w${String(n)}x${String(at)}`).join(' '),
  );
  await start(answering(paragraphs.join('\n\n')));
  telegram.write({ text: 'Much.' });
  await telegram.until(() => telegram.texts().length === 3);
  expect(telegram.texts().join('\n\n')).toBe(paragraphs.join('\n\n'));
  expect(Math.max(...telegram.texts().map(({ length }) => length))).toBeLessThanOrEqual(4096);
});

test('A file that somebody sends comes with the message (X6)', async () => {
  telegram.files.set('f1', Buffer.from('milk and eggs'));
  await start(answering('Read.'));
  telegram.write({
    caption: 'What is in it?',
    document: { file_id: 'f1', file_name: 'list.txt', file_size: 13 },
  });
  await telegram.until(() => telegram.texts().length === 1);
  expect(lastUser()).toContain('[Attached files:]\n- list.txt');
});

test.each([
  ['that Telegram does not give', () => undefined],
  ['that is empty', () => telegram.files.set('gone', Buffer.alloc(0))],
])('A file %s is named, and the message is answered (X6)', async (_, prepare) => {
  prepare();
  await start(answering('Read.'));
  telegram.write({ caption: 'Look.', document: { file_id: 'gone', file_name: 'list.txt', file_size: 13 } });
  await telegram.until(() => telegram.texts().length === 1);
  expect(lastUser()).toContain('Look.\n\n(Could not be read: list.txt)');
});

test('Whoever waits behind others is told so once, and whoever is answered is told nothing (X12)', async () => {
  await start(
    script([
      rule({ user: 'Long' }, reply().text('Half. ').pause(300_000).text('The rest.')),
      rule({}, reply().text('Short.')),
    ]),
  );
  const window = world.openWindow();
  const conversations = async () => (await window.rpc.call('host/subscribe', {})).sessions;
  const follow = async (channel: string): Promise<SessionView> => {
    const isThere = async () => (await conversations()).some(({ place }) => place?.channel === channel);
    await expect.poll(isThere).toBe(true);
    return window.follow((await conversations()).find(({ place }) => place?.channel === channel)?.id ?? '');
  };
  telegram.write({ text: 'Long.' });
  const answered = await follow('100');
  await answered.until(({ items }) => items.some((item) => item.kind === 'text'));
  const other = { id: 101, type: 'private' };
  const second = telegram.write({ text: 'Short.', chat: other, from: { id: 8, first_name: 'Bob' } });
  const waiting = await follow('101');
  await waiting.until(({ turns }) => turns.some(({ ahead }) => ahead === 1));
  // The wait before the word begins with what is shown first.
  await telegram.until(() =>
    telegram.sent.some(({ method, params }) => method === 'sendChatAction' && params['chat_id'] === '101'),
  );
  clock.skip(5_000);
  await telegram.until(() => telegram.texts().length === 1);
  clock.skip(60_000);
  expect(telegram.sent.find(({ method }) => method === 'sendMessage')?.params).toMatchObject({
    chat_id: '101',
    text: 'You are in line: one answer comes before yours.',
    reply_parameters: { message_id: second },
  });
  await window.rpc.call('turn/stop', { sessionId: answered.sessionId });
  await telegram.until(() => telegram.texts().includes('Short.'));
});

/** Somebody writes to an agent that may make files, and makes them with these calls. */
async function askForFiles(...calls: Parameters<Reply['toolCall']>[]): Promise<void> {
  const steps = calls.map((call, resultCount) => rule({ resultCount }, reply().toolCall(...call)));
  await start(
    script([
      rule({ user: 'Hello' }, reply().text('Hello.')),
      ...steps,
      rule({}, reply().text('I wrote it down.')),
    ]),
  );
  telegram.write({ text: 'Hello.' });
  await telegram.until(() => telegram.texts().length === 1);
  const { rpc } = world.openWindow();
  const { people } = await rpc.call('people/list', {});
  const ann = people.find(({ accounts }) => accounts.some(({ platformUserId }) => platformUserId === '7'));
  await rpc.call('people/update', { userId: ann?.id ?? '', level: 'admin', budget: null });
  const place = { platform: 'telegram', server: '', profileId: 'developer', model: null };
  const binding = { ...place, modules: ['files' as const], isPerPerson: false, pauseMs: null };
  await rpc.call('binding/put', { binding });
  const changes = { approvals: 'accept_edits' as const, tools: ['create_document', 'write_file'] };
  await rpc.call('profile/update', { profileId: 'developer', changes });
  telegram.write({ text: 'Write it down.' });
}

test('A file that the agent made is sent behind its answer, with its name and content (X7, X10)', async () => {
  await askForFiles(['create_document', { title: 'Python tutorials', content: 'Think Python.' }]);
  await telegram.until(() => telegram.sent.some(({ method }) => method === 'sendDocument'));
  const methods = telegram.sent.map(({ method }) => method).filter((method) => method !== 'sendChatAction');
  expect(methods).toEqual(['sendMessage', 'sendMessage', 'sendDocument']);
  const { raw } = telegram.sent.at(-1) ?? { raw: '' };
  expect(raw).toContain('filename=python_tutorials.md');
  expect(raw).toContain('Think Python.');
});

/** As the person sees them: files by their names. */
const pieces = (): string[] =>
  telegram.sent.flatMap(({ method, params, raw }) => {
    if (method === 'sendDocument') return /filename=(?<name>[^\r]*)/.exec(raw)?.groups?.['name'] ?? '';
    return method === 'sendMessage' ? String(params['text']) : [];
  });
const twoFiles: Parameters<typeof askForFiles> = [
  ['write_file', { path: '__init__.py', content: '' }],
  ['write_file', { path: 'main.py', content: 'print(1)' }],
];

test('Of a file that is empty the person is told, and the files behind it are sent (X7, X10)', async () => {
  await askForFiles(...twoFiles);
  await telegram.until(() => pieces().length === 4);
  expect(pieces().slice(1)).toEqual(['I wrote it down.', 'The file __init__.py is empty.', 'main.py']);
});

test('Of a file that Telegram refuses the person is told, and the files behind it are sent (X7, X10)', async () => {
  const description = 'Bad Request: wrong file';
  telegram.failures.set('sendDocument', [{ error_code: 400, description }]);
  await askForFiles(['write_file', { path: 'first.py', content: 'x' }], ...twoFiles.slice(1));
  await telegram.until(() => pieces().length === 4);
  expect(pieces().slice(1)).toEqual([
    'I wrote it down.',
    'Telegram does not take the file first.py.',
    'main.py',
  ]);
  expect(logged.join('')).toContain(description);
});

test('When Telegram says to wait, the answer is sent after that time and not before (X10)', async () => {
  await start(answering('Late.'));
  const failure = { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 3600 } };
  telegram.failures.set('sendMessage', [failure]);
  const isAsked = (): boolean => telegram.failures.get('sendMessage')?.length === 0;
  telegram.write({ text: 'Hello.' });
  await telegram.until(isAsked);
  clock.skip(3_599_000);
  telegram.write({ text: 'And now?', chat: { id: 101, type: 'private' } });
  await telegram.until(() => telegram.texts().length === 1);
  expect(telegram.sent.at(-1)?.params['chat_id']).toBe('101');
  const sent = telegram.until(() => telegram.texts().length === 2);
  const skipping = setInterval(() => clock.skip(60_000), 20);
  await sent.finally(() => clearInterval(skipping));
  expect(telegram.texts()).toEqual(['Late.', 'Late.']);
});

test('Marks that Telegram cannot read are left out, and the text is sent (X10)', async () => {
  await start(answering('**Bold** & more'));
  telegram.failures.set('sendMessage', [
    { error_code: 400, description: "Bad Request: can't parse entities" },
  ]);
  telegram.write({ text: 'Hello.' });
  await telegram.until(() => telegram.texts().length === 1);
  expect(telegram.sent.at(-1)?.params).toMatchObject({ text: 'Bold & more' });
  expect(telegram.sent.at(-1)?.params).not.toHaveProperty('parse_mode');
});

test('An answer that nobody can receive any more is given up, and others are sent (X12)', async () => {
  await start(answering('Here.'));
  telegram.failures.set('sendMessage', [
    { error_code: 403, description: 'Forbidden: bot was blocked by the user' },
  ]);
  telegram.write({ text: 'Hello.' });
  await telegram.until(() => telegram.failures.get('sendMessage')?.length === 0);
  telegram.write({ text: 'Hello again.' });
  await telegram.until(() => telegram.texts().length === 1);
  const other = world.openBridge('telegram');
  const waiting = async () => (await other.call('bridge/open', {})).waiting.length;
  while ((await waiting()) > 0);
  expect(telegram.texts()).toEqual(['Here.']);
});

test('A message is forgotten by Telegram only after it is stored here (X12)', async () => {
  await start(answering('Here.'));
  await carrier.stop();
  const bridge = createTelegramBridge({
    token: botToken,
    apiRoot: telegram.url,
    clock,
    log,
    onFailed: () => undefined,
  });
  carrier = createCarrier({ bridge, clock, log });
  await carrier.start();
  const id = telegram.write({ text: 'Nobody is there yet.' });
  await telegram.until(() => telegram.given >= id);
  // Were it asked for more already, that request would be here before these are answered.
  for (let n = 0; n < 20; n += 1) await fetch(`${telegram.url}/bot${botToken}/getMe`);
  expect(telegram.confirmed).toBeLessThanOrEqual(id);
  const [bridgeEnd, hostEnd] = createTransportPair();
  world.host.connectBridge(hostEnd, 'telegram');
  carrier.connect(bridgeEnd);
  await telegram.until(() => telegram.confirmed > id);
  await telegram.until(() => telegram.texts().length === 1);
});

test('A token that Telegram does not know is a failure with advice, and is nowhere in it', async () => {
  const failure = start(answering(''), '42:wrong');
  await expect(failure).rejects.toMatchObject({
    code: 'not_allowed',
    advice: 'Copy it again from @BotFather.',
  });
  await expect(failure).rejects.not.toThrow('42:wrong');
});
