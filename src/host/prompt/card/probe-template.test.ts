import { describe, expect, it } from 'vitest';
import { createCardStore } from './card.ts';
import { makeCard } from './make-card.ts';
import { probeTemplate } from './probe-template.ts';
import { probes, type Probe, type Render } from './probes.ts';

/** A template that writes every message down, one per line, and no tools. */
const write = ({ messages, tools }: Probe): Render => ({
  prompt: [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))].join('\n'),
});
const never = new AbortController().signal;

describe('probing a template', () => {
  it('asks one after the other, each once, and not what an answer has made idle', async () => {
    const asked: string[] = [];
    let open = 0;
    await probeTemplate(async (probe) => {
      expect((open += 1)).toBe(1);
      await Promise.resolve();
      open -= 1;
      asked.push(probe.id);
      return write(probe);
    }, never);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toContain('main.absent.echo.t2');
    expect(asked.filter((id) => /^id9|^chat/.test(id))).toEqual([]);
  });

  it('asks a template that refuses two calls for one call per message', async () => {
    const card = await probeTemplate(async (probe) => {
      const refuses = probe.messages.some(({ tool_calls: calls = [] }) => calls.length > 1);
      return refuses ? { refused: 'one call only' } : write(probe);
    }, never);
    expect(card).toMatchObject({ conversation: 'one call per message', twoCalls: 'refused' });
    expect(card?.refusals).toContain('main.absent.echo.t1');
  });

  it('ends at the first answer of an engine that knows no renders: no card', async () => {
    let asked = 0;
    const card = await probeTemplate(async () => {
      asked += 1;
      return null;
    }, never);
    expect([card, asked]).toEqual([null, 1]);
  });

  it('ends at once where even a single user message is refused: no card', async () => {
    let asked = 0;
    const card = await probeTemplate(async () => {
      asked += 1;
      return { refused: 'no model to talk to' };
    }, never);
    expect([card, asked]).toEqual([null, 1]);
  });

  it('can be aborted between two renders and asks no more', async () => {
    const abort = new AbortController();
    let asked = 0;
    const probing = probeTemplate(async (probe) => {
      asked += 1;
      if (asked === 3) abort.abort(new Error('stopped'));
      return write(probe);
    }, abort.signal);
    await expect(probing).rejects.toThrow('stopped');
    expect(asked).toBe(3);
  });

  it('tells what went wrong on the way instead of guessing a card', async () => {
    let asked = 0;
    const probing = probeTemplate(async (probe) => {
      asked += 1;
      if (asked === 5) throw new Error('connection lost');
      return write(probe);
    }, never);
    await expect(probing).rejects.toThrow('connection lost');
  });
});

describe('a template card', () => {
  it('is found again by its digest, and is none once it is damaged or of another version', async () => {
    const rows = new Map<string, string>();
    const store = createCardStore({ get: (key) => rows.get(key), set: (key, json) => rows.set(key, json) });
    const card = await probeTemplate(async (probe) => write(probe), never);
    if (!card) throw new Error('no card');
    store.set('digest', card);
    expect(store.get('digest')).toEqual(card);
    expect(store.get('another')).toBeUndefined();
    rows.set('digest', JSON.stringify({ ...card, version: 0 }));
    expect(store.get('digest')).toBeUndefined();
    rows.set('digest', '{"version":1,');
    expect(store.get('digest')).toBeUndefined();
  });

  it('is none where nothing was rendered', () => {
    expect(makeCard(new Map(probes.map(({ id }) => [id, { refused: 'no' }])))).toBeUndefined();
  });

  it('leaves open what no probe could show', () => {
    const card = makeCard(
      new Map(
        probes
          .filter(({ id }) => id === 'main.absent.echo.t2')
          .map((probe): [string, Render] => [probe.id, write(probe)]),
      ),
    );
    expect(card).toMatchObject({
      secondSystem: null,
      userAfterUserRefused: null,
      thinking: { off: null, switchInLoop: null },
      arguments: { order: null, million: null },
    });
  });
});
