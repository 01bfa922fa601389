/** Ways in, in the settings: as they are at first, at work, and failed. */
import type { ApiTokenInfo } from '../../protocol/token-methods.ts';
import type { Way } from '../../protocol/way-methods.ts';
import { settings, type Scene } from './scene.tsx';

const day = 24 * 60 * 60 * 1_000;
const off: Way = {
  id: 'webhook',
  isOn: false,
  isOnNetwork: false,
  port: 7474,
  answerUrl: null,
  hasSecret: false,
  certificatePath: null,
  state: { state: 'off' },
};
const gateway: Way = { ...off, id: 'gateway', port: 11_480, hasSecret: true };
const token = (now: number, more: Partial<ApiTokenInfo>): ApiTokenInfo => ({
  id: 'tok_1',
  userId: 'owner',
  name: 'Editor',
  level: 'user',
  modules: null,
  createdAt: now - 9 * day,
  lastUsedAt: now - day,
  revokedAt: null,
  ...more,
});

const pane = (id: string, ways: Way[], tokens: (now: number) => ApiTokenInfo[]): Scene =>
  settings(id, 'ways', (now) => ({
    hostAnswers: { 'way/list': () => ({ ways }), 'token/list': () => ({ tokens: tokens(now) }) },
  }));

export const waysScenes: Scene[] = [
  pane('ways-off', [gateway, off, { ...off, id: 'telegram' }], () => []),
  pane(
    'ways',
    [
      { ...gateway, isOn: true, state: { state: 'listening', at: 'http://127.0.0.1:11480/v1' } },
      {
        ...off,
        isOn: true,
        hasSecret: true,
        answerUrl: 'https://hooks.example.com/andiron',
        state: { state: 'listening', at: 'http://127.0.0.1:7474/v1/messages' },
      },
      {
        ...off,
        id: 'telegram',
        isOn: true,
        hasSecret: true,
        state: {
          state: 'failed',
          message: 'Telegram does not know this token.',
          advice: 'Copy it again from @BotFather.',
        },
      },
    ],
    (now) => [
      token(now, {}),
      token(now, { id: 'tok_2', name: 'Nightly build', level: 'guest', lastUsedAt: null }),
    ],
  ),
  pane(
    'ways-network',
    [
      {
        ...gateway,
        isOn: true,
        isOnNetwork: true,
        certificatePath: '/home/ada/.local/share/andiron/gateway-ca.pem',
        state: {
          state: 'listening',
          at: 'http://127.0.0.1:11480/v1, https://192.168.1.20:11480/v1',
        },
      },
      off,
      { ...off, id: 'telegram' },
    ],
    (now) => [token(now, {})],
  ),
];
