import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';

/** Origins that Ollama allows without configuration. */
const ALLOWED_ORIGINS = [
  /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?$/,
  /^(?:app|file|tauri|vscode-webview|vscode-file):\/\//,
];
const PRIVATE_ADDRESS =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|\[?(?:::1|fe80:|f[cd]))/i;
const LOCAL_NAME = /(?:^localhost|\.localhost|\.local|\.internal)$/i;

const ALLOWED_HEADERS = [
  'Authorization,Content-Type,User-Agent,Accept,X-Requested-With,Openai-Beta',
  ...['Arch', 'Async', 'Custom-Poll-Interval', 'Helper-Method', 'Lang', 'Os', 'Package-Version'].map(
    stainless,
  ),
  ...['Poll-Helper', 'Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'].map(stainless),
].join(',');

function stainless(name: string): string {
  return `X-Stainless-${name}`;
}

function isAllowedHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return (
    name === '' ||
    LOCAL_NAME.test(name) ||
    PRIVATE_ADDRESS.test(name) ||
    name === '0.0.0.0' ||
    name.toLowerCase() === hostname().toLowerCase()
  );
}

/** Headers that go into every answer of an allowed request. */
export type Access = { allowed: false } | { allowed: true; headers: [string, string][] };

/** Ollama's Host and Origin checks. */
export function checkAccess(request: IncomingMessage): Access {
  const { host, origin } = request.headers;
  if (!isAllowedHost(host ?? '')) return { allowed: false };
  const isSameOrigin = origin === undefined || origin === `http://${host}`;
  if (isSameOrigin) return { allowed: true, headers: [] };
  if (!ALLOWED_ORIGINS.some((pattern) => pattern.test(origin))) return { allowed: false };
  return {
    allowed: true,
    headers: [
      ['Access-Control-Allow-Origin', origin],
      ['Vary', 'Origin'],
    ],
  };
}

/** Headers of the answer to a preflight request from an allowed origin, in Go's alphabetical order. */
export function preflightHeaders(origin: string, methods: readonly string[]): [string, string][] {
  return [
    ['Access-Control-Allow-Headers', ALLOWED_HEADERS],
    ['Access-Control-Allow-Methods', 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS'],
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Max-Age', '43200'],
    ['Allow', methods.join(', ')],
    ['Vary', 'Origin'],
    ['Vary', 'Access-Control-Request-Method'],
    ['Vary', 'Access-Control-Request-Headers'],
  ];
}
