/** The requests whose rendered prompts tell how a model's template treats a conversation. */
import {
  callWithoutText,
  chat,
  interruption,
  main,
  nextQuestion,
  reminder,
  secondUser,
  single,
  tools,
  withArguments,
  withNineCharacterIds as nine,
  without,
  withoutSystem,
  type ProbeMessage,
  type ProbeTool,
} from './conversation.ts';

export interface Probe {
  /** The name of the recorded request that it equals. */
  id: string;
  messages: readonly ProbeMessage[];
  /** Empty = the field is not sent. */
  tools: readonly ProbeTool[];
  /** undefined = the field is not sent. */
  think?: boolean;
  /** Asked only after these were asked, and answered so. */
  rendered?: string;
  refused?: string;
}

/** What the engine made of a probe. Refusals are the engine's own words. */
export type Render = { prompt: string } | { refused: string };
export type Renders = ReadonlyMap<string, Render>;

type Conditions = Pick<Probe, 'think' | 'rendered' | 'refused'>;

const asked = (id: string, messages: readonly ProbeMessage[], more: Conditions = {}): Probe => ({
  id,
  messages,
  tools,
  ...more,
});
const plain = (id: string, messages: readonly ProbeMessage[], more: Conditions = {}): Probe => ({
  ...asked(id, messages, more),
  tools: [],
});

const argumentSets: Readonly<Record<string, Record<string, unknown>>> = {
  order_a: { path: 'a.txt', edits: [{ old: 'x', new: 'y' }], zeta: '1', alpha: '2' },
  order_b: { alpha: '2', zeta: '1', edits: [{ new: 'y', old: 'x' }], path: 'a.txt' },
  numbers: {
    int: 1,
    one_point_zero: 1,
    exp: 1e3,
    neg: -0.5,
    tenth: 0.1,
    big: Number('12345678901234567890'),
    huge: 1e21,
    small: 0.000_000_12,
    million: 1_000_000,
  },
  text: {
    accents: 'Zoë – naïve 日本語',
    html: '<a href="x">R&D</a> 1 < 2 > 0',
    quotes: 'say "hi" it\'s \\ done / end',
    lines: 'first\n  second\n\tthird\n',
    emoji: 'ok 🙂',
    spaces: '  two  ',
  },
};

/** In the order of asking: what the conditions speak of comes first. A model with tools is asked 18 to 23 of them. */
export const probes: readonly Probe[] = [
  plain('shape.no_system_no_tools', withoutSystem),
  asked('main.absent.echo.u1', main.u1),
  ...withTools(),
  ...withoutTools(),
];

function withTools(): Probe[] {
  const start = { rendered: 'main.absent.echo.u1' };
  const whole = { rendered: 'main.absent.echo.t1' };
  const strictIds = { rendered: 'id9.t1' };
  const oneCall = { refused: 'id9.t1' };
  return [
    asked('main.true.echo.u1', main.u1, { ...start, think: true }),
    asked('main.false.echo.u1', main.u1, { ...start, think: false }),
    asked('main.absent.echo.t1', main.t1, start),
    asked('shape.two_users', [...main.u1, secondUser], start),

    asked('main.absent.echo.t2', main.t2, whole),
    asked('main.absent.echo.u2', main.u2, whole),
    asked('main.true.echo.t2', main.t2, { rendered: 'main.true.echo.u1', think: true }),
    asked('main.false.echo.t2', main.t2, { ...whole, think: false }),
    asked('main.false.echo.u2', main.u2, { ...whole, think: false }),
    asked('shape.system_mid', [...main.answered, reminder, nextQuestion], whole),
    asked('shape.user_after_tool', [...main.t1, interruption], whole),
    asked('ids.no_tool_call_id', without(main.t1, 'tool_call_id'), whole),
    asked('ids.no_tool_name', without(main.t1, 'tool_name'), whole),
    asked('ids.neither', without(main.t1, 'tool_call_id', 'tool_name'), whole),

    asked('id9.t1', nine(main.t1), { refused: 'main.absent.echo.t1' }),
    asked('id9.t2', nine(main.t2), strictIds),
    asked('id9.u2', nine(main.u2), strictIds),
    asked('id9.system_mid', nine([...main.answered, reminder, nextQuestion]), strictIds),
    asked('id9.user_after_tool', nine([...main.t1, interruption]), strictIds),

    asked('single.absent.echo.t1', single.t1, start),
    asked('single.call_without_text.t1', callWithoutText, { rendered: 'single.absent.echo.t1' }),
    asked('single.absent.echo.t2', single.t2, oneCall),
    asked('single.absent.echo.u2', single.u2, oneCall),
    asked('single.system_mid', [...single.answered, reminder, nextQuestion], oneCall),
    asked('single.user_after_tool', [...single.t1, interruption], oneCall),

    ...Object.entries(argumentSets).flatMap(([name, args]) => [
      asked(`args.${name}`, withArguments(args), { rendered: 'single.absent.echo.t1' }),
      asked(`id9.args.${name}`, nine(withArguments(args)), strictIds),
    ]),
  ];
}

function withoutTools(): Probe[] {
  const chatOnly = { refused: 'main.absent.echo.u1' };
  return [
    plain('no_tools.t2', main.t2),
    plain('id9.no_tools.t2', nine(main.t2), { rendered: 'id9.t1' }),
    plain('single.no_tools.t2', single.t2, { refused: 'id9.t1' }),
    plain('chat.absent.echo.u2', chat.u2, chatOnly),
    plain('chat.absent.echo.u3', chat.u3, chatOnly),
    plain('chat.true.echo.u2', chat.u2, { ...chatOnly, think: true }),
    plain('chat.false.echo.u2', chat.u2, { ...chatOnly, think: false }),
    plain('chat.false.echo.u3', chat.u3, { ...chatOnly, think: false }),
  ];
}

/** Whether a probe has anything to say after what is known. */
export function tellsMore(probe: Probe, known: Renders): boolean {
  const became = (id: string | undefined, kind: 'prompt' | 'refused'): boolean => {
    if (id === undefined) return true;
    const render = known.get(id);
    return render !== undefined && kind in render;
  };
  return became(probe.rendered, 'prompt') && became(probe.refused, 'refused');
}
