import { expect, test } from 'vitest';
import { isLoopback, parseHost, readAddress } from './host-address.ts';

test.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['  "192.168.1.4"  ', 'http://192.168.1.4:11434'],
  ["'gpu.lan:5678'", 'http://gpu.lan:5678'],
  ['1.2.3.4:5678', 'http://1.2.3.4:5678'],
  [':1234', 'http://127.0.0.1:1234'],
  ['http://1.2.3.4', 'http://1.2.3.4'],
  ['http://1.2.3.4:11434', 'http://1.2.3.4:11434'],
  ['https://1.2.3.4', 'https://1.2.3.4'],
  ['https://gpu.lan:8443', 'https://gpu.lan:8443'],
  ['https://gpu.lan/ollama/', 'https://gpu.lan/ollama'],
  ['gpu.lan:11434/a/b', 'http://gpu.lan:11434/a/b'],
  ['ollama.com', 'https://ollama.com'],
  ['gpu.lan:', 'http://gpu.lan:11434'],
  ['gpu.lan:99999', 'http://gpu.lan:11434'],
  ['gpu.lan:abc', 'http://gpu.lan:11434'],
  ['https://gpu.lan:-1', 'https://gpu.lan'],
  ['::1', 'http://[::1]:11434'],
  ['[::1]', 'http://[::1]:11434'],
  ['[fd00::7]:1337', 'http://[fd00::7]:1337'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['http://0.0.0.0:11434', 'http://127.0.0.1:11434'],
  ['::', 'http://[::1]:11434'],
  ['[::]:99', 'http://[::1]:99'],
  ['localhost', 'http://127.0.0.1:11434'],
  ['a host with spaces', 'http://127.0.0.1:11434'],
])('OLLAMA_HOST=%j is reached at %s', (value, url) => {
  expect(parseHost(value)).toBe(url);
});

test.each([
  ['http://127.0.0.1:11434', true],
  ['http://127.8.9.1:1', true],
  ['http://[::1]:11434', true],
  ['http://192.168.1.4:11434', false],
  ['https://ollama.com', false],
])('%s is on loopback: %s', (url, expected) => {
  expect(isLoopback(url)).toBe(expected);
});

test.each([
  'http://127.evil.com',
  'http://127.0.0.1.evil.com:11434',
  'http://localhost.evil.com',
  'http://127',
  '',
])('%j only begins like loopback, so it is not on it (audit-S25)', (url) => {
  expect(isLoopback(url)).toBe(false);
});

test.each([
  'http://127.8.9.10',
  'http://127.1:80',
  'http://0x7f.1',
  'https://localhost',
  'http://[0:0:0:0:0:0:0:1]',
])('%s is another spelling of loopback (audit-S25)', (url) => {
  expect(isLoopback(url)).toBe(true);
});

test.each([
  ['gpu.lan', 'http://gpu.lan:11434'],
  [' 192.168.1.4:5678 ', 'http://192.168.1.4:5678'],
  ['HTTPS://gpu.lan/ollama/', 'https://gpu.lan/ollama'],
  ['localhost', 'http://127.0.0.1:11434'],
  ['::1', 'http://[::1]:11434'],
  ['[fd00::7]:1337', 'http://[fd00::7]:1337'],
])('%j in the list is %s', (value, url) => {
  expect(readAddress(value)).toBe(url);
});

test.each([
  '',
  ':1234',
  'a host with spaces',
  'gpu.lan:99999',
  'gpu.lan:abc',
  'ftp://gpu.lan',
  'http://me:secret@gpu.lan',
  'gpu.lan?x=1',
  'http://',
])('%j is no address, and nothing is guessed', (value) => {
  expect(readAddress(value)).toBeNull();
});
