import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ApiTokenInfo } from '../../../protocol/token-methods.ts';
import type { Way, WayChanges, WayId } from '../../../protocol/way-methods.ts';
import { noon } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { WaysPane } from './ways-pane.tsx';

const way = (id: WayId, more: Partial<Way> = {}): Way => ({
  id,
  isOn: false,
  isOnNetwork: false,
  port: 7474,
  answerUrl: null,
  hasSecret: false,
  certificatePath: null,
  state: { state: 'off' },
  ...more,
});

const group = (name: string) =>
  within(screen.getByRole('heading', { name }).closest('section') as HTMLElement);

const hrefIn = (name: string, link: string) =>
  group(name).getByRole('link', { name: link }).getAttribute('href');

/** A host that keeps what it is told. */
async function open(first: Partial<Way> = {}, tokens: ApiTokenInfo[] = [], atGateway: Partial<Way> = {}) {
  const window = await openTestWindow();
  const gateway = way('gateway', { port: 11_480, hasSecret: true, ...atGateway });
  let ways = [gateway, way('webhook', first), way('telegram')];
  const asked: unknown[] = [];
  window.host.answer('way/list', () => ({ ways }));
  window.host.answer('way/change', ({ id, settings, secret }: WayChanges & { id: WayId }) => {
    asked.push({ id, settings, ...(secret !== undefined && { secret }) });
    const hasSecret = secret === undefined ? {} : { hasSecret: secret !== null };
    ways = ways.map((each) =>
      each.id === id ? { ...each, ...(settings as Partial<Way>), ...hasSecret } : each,
    );
    window.stores.host.setState(({ wayChanges = 0 }) => ({ wayChanges: wayChanges + 1 }));
    return { way: ways.find((each) => each.id === id) ?? way(id) };
  });
  window.host.answer('token/list', () => ({ tokens }));
  window.host.answer('token/create', (token: object) => {
    asked.push(token);
    return { token: tokens[0] ?? null, text: 'and_shown-once' };
  });
  window.host.answer('token/revoke', (revoked: object) => {
    asked.push(revoked);
    return {};
  });
  renderIn(window, <WaysPane />);
  await act(() => settled());
  return { asked, user: userEvent.setup() };
}

it('Each way in leads to its document, which a packaged app does not carry', async () => {
  await open();
  expect(hrefIn('Gateway', 'How programs use it')).toMatch(/^https:\/\/.*\/docs\/gateway\.md$/);
  expect(hrefIn('Webhook', 'How messages are signed')).toMatch(/\/docs\/bridges\.md$/);
  expect(hrefIn('Telegram', 'How to make a bot')).toMatch(/\/docs\/bridges\.md$/);
});

it('A secret is set in a field that hides it, and then the way is turned on', async () => {
  const { asked, user } = await open();
  const telegram = group('Telegram');
  expect(telegram.getByText('Set the token first.')).toBeDefined();
  await user.click(telegram.getByRole('button', { name: 'Set token' }));
  const field = telegram.getByLabelText<HTMLInputElement>('Token of the bot');
  expect(field.type).toBe('password');
  await user.type(field, '42:token{Enter}');
  await user.click(group('Telegram').getByRole('switch', { name: 'Take messages' }));
  expect(asked).toEqual([
    { id: 'telegram', settings: {}, secret: '42:token' },
    { id: 'telegram', settings: { isOn: true } },
  ]);
  expect(document.body.innerHTML).not.toContain('42:token');
});

it('A secret that is removed is asked for again', async () => {
  const { asked, user } = await open({ hasSecret: true });
  await user.click(group('Webhook').getByRole('button', { name: 'Remove secret' }));
  expect(asked).toEqual([{ id: 'webhook', settings: {}, secret: null }]);
  expect(group('Webhook').getByRole('button', { name: 'Set secret' })).toBeDefined();
});

it('What a way does now is shown: where it listens, or why it does not', async () => {
  await open({ state: { state: 'listening', at: 'http://127.0.0.1:7474/v1/messages' } });
  expect(group('Webhook').getByRole('status').textContent).toBe(
    'Listening at http://127.0.0.1:7474/v1/messages',
  );
});

it('A way that failed says why, and what to do', async () => {
  const failed = {
    state: 'failed',
    message: 'Port 80 cannot be used.',
    advice: 'Choose another port.',
  } as const;
  await open({ state: failed });
  expect(group('Webhook').getByText(/Port 80 cannot be used\./)).toBeDefined();
  expect(group('Webhook').getByText(/Choose another port\./)).toBeDefined();
});

it('Port and answer address are taken when they can be, and refused in words when not', async () => {
  const { asked, user } = await open({ hasSecret: true });
  const port = group('Webhook').getByLabelText('Port');
  await user.clear(port);
  await user.type(port, '70000{Enter}');
  expect(screen.getByText('Write a number from 1 to 65535.')).toBeDefined();
  await user.clear(port);
  await user.type(port, '8080{Enter}');
  const url = group('Webhook').getByLabelText('Send answers to');
  await user.type(url, 'ftp://x{Enter}');
  expect(screen.getByText(/begins with http/)).toBeDefined();
  await user.clear(url);
  await user.type(url, 'https://example.com/in{Enter}');
  expect(asked).toEqual([
    { id: 'webhook', settings: { port: 8080 } },
    { id: 'webhook', settings: { answerUrl: 'https://example.com/in' } },
  ]);
});

it('A token of a program is created with a level and shown once', async () => {
  const { asked, user } = await open();
  const programs = group('Programs');
  await user.type(programs.getByLabelText('New program'), 'Editor');
  await user.click(programs.getByRole('radio', { name: 'User' }));
  await user.click(programs.getByRole('button', { name: 'Create token' }));
  expect(asked).toEqual([{ name: 'Editor', level: 'user' }]);
  expect(programs.getByText('and_shown-once')).toBeDefined();
});

it('Tokens that work are listed with their last use, and one is revoked', async () => {
  const token: ApiTokenInfo = {
    id: 'tok_1',
    userId: 'owner',
    name: 'Editor',
    level: 'user',
    modules: null,
    createdAt: noon,
    lastUsedAt: null,
    revokedAt: null,
  };
  const old: ApiTokenInfo = { ...token, id: 'tok_2', name: 'Old one', revokedAt: noon };
  const { asked, user } = await open({}, [token, old]);
  expect(group('Programs').getByText('Never used')).toBeDefined();
  expect(group('Programs').queryByText('Old one')).toBeNull();
  await user.click(group('Programs').getByRole('button', { name: 'Revoke' }));
  expect(asked).toEqual([{ tokenId: 'tok_1' }]);
});

it('The gateway is turned on by its switch, without a secret, and its port is typed (Y15)', async () => {
  const { asked, user } = await open();
  const gateway = group('Gateway');
  expect(gateway.queryByRole('button', { name: /Set/ })).toBeNull();
  await user.click(gateway.getByRole('switch', { name: 'Serve programs' }));
  const port = gateway.getByRole('textbox', { name: 'Port' });
  await user.clear(port);
  await user.type(port, '11500{Enter}');
  expect(asked).toEqual([
    { id: 'gateway', settings: { isOn: true } },
    { id: 'gateway', settings: { port: 11_500 } },
  ]);
});

it('A gateway that listens shows its address and a line to try it with (Y15)', async () => {
  await open({}, [], { isOn: true, state: { state: 'listening', at: 'http://127.0.0.1:11480/v1' } });
  expect(group('Gateway').getByText('http://127.0.0.1:11480/v1')).toBeDefined();
  expect(group('Gateway').getByText(/^curl http:\/\/127\.0\.0\.1:11480\/v1\/models -H/)).toBeDefined();
});

it('The local network is a second switch of a gateway that is on, with the certificate that it needs (X9)', async () => {
  const certificatePath = '/data/gateway-ca.pem';
  const { asked, user } = await open({}, [], { certificatePath });
  const gateway = group('Gateway');
  const onNetwork = (): HTMLElement | null =>
    gateway.queryByRole('switch', { name: 'Serve the local network' });
  expect(onNetwork()).toBeNull();
  await user.click(gateway.getByRole('switch', { name: 'Serve programs' }));
  await act(() => settled());
  expect(gateway.queryByText(certificatePath)).toBeNull();
  await user.click(onNetwork() as HTMLElement);
  await act(() => settled());
  expect(asked.at(-1)).toEqual({ id: 'gateway', settings: { isOnNetwork: true } });
  expect(gateway.getByText(certificatePath)).toBeDefined();
});

it.each([
  ['http://127.0.0.1:11480/v1', 1],
  ['http://127.0.0.1:11480/v1, https://10.0.0.5:11480/v1', 0],
])('A gateway that serves the network at %s says where nobody can reach it (X9)', async (at, said) => {
  const state = { state: 'listening', at } as const;
  await open({}, [], { isOn: true, isOnNetwork: true, state });
  expect(group('Gateway').queryAllByText(/no private address/)).toHaveLength(said);
});
