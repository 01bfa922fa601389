import { describe, expect, it } from 'vitest';
import { GO_JSON, MODEL_JSON, SPACED_GO_JSON, printNumber, printWhole, writeJson } from './go-values.ts';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [-0.5, '-0.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [999_999, '999999'],
    [1_000_000, '1e+06'],
    [1_234_567, '1.234567e+06'],
    [1.2345678901234567e19, '1.2345678901234567e+19'],
    [1e100, '1e+100'],
  ])('prints %d as %s', (value, text) => {
    expect(printNumber(value)).toBe(text);
  });

  it.each([
    [1_000_000, '1000000'],
    [2 ** 62, '4611686018427387904'],
    [2 ** 63, '9.223372036854776e+18'],
    [1.5, '1.5'],
  ])('prints %d as %s where whole numbers stay whole', (value, text) => {
    expect(printWhole(value)).toBe(text);
  });
});

describe('JSON', () => {
  const value = { b: '<a & b>', a: [1e21, null, { d: true, c: 'two\n' }] };

  it('sorts keys at every depth and escapes markup as Go does', () => {
    expect(writeJson(value, GO_JSON)).toBe(
      String.raw`{"a":[1e+21,null,{"c":"two\n","d":true}],"b":"\u003ca \u0026 b\u003e"}`,
    );
  });

  it('puts spaces between members but not into texts', () => {
    expect(writeJson({ a: 'x,y:z', b: [1, 2] }, SPACED_GO_JSON)).toBe('{"a": "x,y:z", "b": [1, 2]}');
  });

  it('leaves order and markup alone where a model writes it', () => {
    expect(writeJson(value, MODEL_JSON)).toBe(
      String.raw`{"b": "<a & b>", "a": [1e+21, null, {"d": true, "c": "two\n"}]}`,
    );
  });
});
