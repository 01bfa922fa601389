import { describe, expect, it } from 'vitest';
import { readPlanLines } from './plan-lines.ts';
import {
  classifyInstruction,
  directInstruction,
  executeInstruction,
  planInstruction,
  reviewInstruction,
} from './instructions.ts';
import { readVerdict } from './verdict.ts';

const delegates = [
  { id: 'reader', description: 'Explores\nthe workspace' },
  { id: 'quiet', description: '' },
];
const all = [
  classifyInstruction(false),
  classifyInstruction(true),
  reviewInstruction,
  planInstruction(true, delegates),
  planInstruction(false, []),
  executeInstruction('1. ○ Read', true),
  directInstruction,
];

describe('the instructions of planning', () => {
  it('ask for DIRECT or an analysis with REFLECT (D7), and for no DIRECT where a plan is mandatory (W18)', () => {
    expect(classifyInstruction(false)).toMatch(/DIRECT[^]*REFLECT: yes[^]*REFLECT: no/);
    expect(classifyInstruction(true)).not.toContain('DIRECT');
  });

  it('ask for the four sections of the review (D8)', () => {
    for (const section of ['Critic', 'Pragmatist', 'Detailer', 'Plan Adjustments'])
      expect(reviewInstruction).toContain(`**${section}:**`);
  });

  it('name executors, depth, comma test and checks (D9, D10, D11)', () => {
    const text = planInstruction(true, delegates);
    for (const part of [
      '**Steps:**',
      'TOOL:',
      'AGENT:',
      'SELF',
      '1 to 3',
      '5 to 9',
      '8 to 15',
      'commas',
      'CHECK: file',
    ])
      expect(text).toContain(part);
    expect(text).toContain('- reader: Explores the workspace\n- quiet');
  });

  it('speak of the review only where there was one, and of subagents only where there are some', () => {
    expect(planInstruction(true, [])).toContain('Plan Adjustments');
    expect(planInstruction(false, [])).not.toContain('Plan Adjustments');
    expect(planInstruction(false, [])).not.toMatch(/AGENT|profile/i);
  });

  it('bring the model to work after the plan, with the list where its numbers differ (W17)', () => {
    expect(executeInstruction(null, false)).not.toMatch(/todo|The steps/);
    expect(executeInstruction('1. ○ Read', true)).toMatch(/todo tool[^]*The steps:\n1\. ○ Read/);
  });

  it('begin the list of steps in a line of its own (audit-A14)', () => {
    expect(executeInstruction('1. ○ Read\n2. ○ Write', true).split('\n').slice(1)).toEqual([
      'The steps:',
      '1. ○ Read',
      '2. ○ Write',
    ]);
  });

  it('hold nothing that looks like a call or like a plan to copy (W17)', () => {
    for (const text of all.slice(0, 5)) {
      expect(text).not.toMatch(/[{}<>[\]]|\w\(/);
      expect(readPlanLines(text)).toEqual([]);
    }
    expect(readVerdict(planInstruction(false, []), false).kind).toBe('analysis');
  });

  it('are short: every planned message reads them', () => {
    expect(classifyInstruction(false).length + directInstruction.length).toBeLessThan(520);
    expect(reviewInstruction.length + planInstruction(true, []).length).toBeLessThan(1500);
  });
});
