import { expect, test } from 'vitest';
import { addressClass } from './address-class.ts';

const kindOf = (address: string) => (address === '8.8.4.4' ? 'own' : 'public');

test('a public address that this computer itself has is none of the internet', () => {
  expect(addressClass('8.8.4.4', kindOf)).toBe('private');
  expect(addressClass('8.8.8.8', kindOf)).toBe('public');
});

test.each(['2606:4700::1', '1.1.1.1', '2001:4860:4860::8888'])('%s is public', (address) => {
  expect(addressClass(address)).toBe('public');
});

test.each(['', 'a.example', '1.2.3', '1.2.3.4.5', '::1::'])(
  '%j is no address, so nothing is reached by it',
  (address) => {
    expect(addressClass(address)).toBe('closed');
  },
);
