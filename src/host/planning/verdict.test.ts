import { describe, expect, it } from 'vitest';
import { threadMs } from '../../../test/helpers/thread-time.ts';
import { readVerdict } from './verdict.ts';

const kindOf = (reply: string): string => readVerdict(reply, false).kind;

describe('the verdict of phase 1', () => {
  it.each([
    'DIRECT',
    '\n\n  DIRECT\n',
    '**DIRECT**',
    '`DIRECT`.',
    'direct',
    '"Direct"',
    'Classification: DIRECT',
    'DIRECT - this is small talk.\n1. Say hello',
    '```\nDIRECT\n```',
    '{\n  "verdict": "DIRECT"\n}',
    '<think>Is a plan needed? REFLECT: yes</think>\nDIRECT',
    'So no plan is needed.</think>\n\nDIRECT',
    '[THINK]hm[/THINK] DIRECT',
    'DIRECT\r\n',
  ])('is DIRECT for %j (D3, D7, Q9)', (reply) => {
    expect(kindOf(reply)).toBe('direct');
  });

  it.each([
    'DIRECTLY after that I would read the file.',
    'The direct way is to read the file.',
    'DIRECTORY listing first',
    'NON-DIRECT: a plan is needed',
    'This is not DIRECT.\nGoal: x',
    'Goal: rename\nDIRECT is not possible here',
    '<think>DIRECT</think>\nGoal: rename a file',
  ])('is an analysis for %j (Q9)', (reply) => {
    expect(kindOf(reply)).toBe('analysis');
  });

  it.each(['', '  \n', '...', '```\n```', '<think>never closed DIRECT', '<think>all thinking</think>'])(
    'is malformed for %j (X12 e)',
    (reply) => {
      expect(kindOf(reply)).toBe('malformed');
    },
  );

  it.each([
    ['REFLECT: yes', true],
    ['REFLECT: no', false],
    ['**REFLECT:** yes', true],
    ['**REFLECT**: **Yes**', true],
    ['- reflect = true', true],
    ['REFLECT: [yes]', true],
    ['REFLECT: yes/no', false],
    ['REFLECT: yes or no', false],
    ['REFLECT: yes\nOn second thought, REFLECT: no', false],
    ['We should reflect no further.', false],
    ['', false],
  ])('reads %j as reflect %j; missing is no (D7)', (line, reflect) => {
    expect(readVerdict(`Goal: tidy up\n${line}`, false)).toMatchObject({ kind: 'analysis', reflect });
  });

  it('has the analysis without thinking and without its last line', () => {
    const reply = '<think>Hm.</think>\nGoal: tidy up\nRisks: none\n**REFLECT: yes**';
    expect(readVerdict(reply, false)).toEqual({
      kind: 'analysis',
      text: 'Goal: tidy up\nRisks: none',
      reflect: true,
    });
  });

  it('knows no way past the plan where a plan is mandatory (W18)', () => {
    expect(readVerdict('DIRECT', true)).toEqual({ kind: 'analysis', text: '', reflect: false });
    expect(readVerdict('', true)).toEqual({ kind: 'analysis', text: '', reflect: false });
  });

  it.each(['<think></think>', '</think>', 'REFLECT: ', 'REFLECT    ', ' ', 'no DIRECT'])(
    'reads 1 MB of %j at once',
    (part) => {
      const began = threadMs();
      readVerdict(part.repeat(1_000_000 / part.length), false);
      expect(threadMs() - began).toBeLessThan(2000);
    },
  );
});
