import { z } from 'zod';
import type { StepStatus, Todo } from '../../protocol/model.ts';
import { actionWord } from './action-words.ts';
import { advised } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolResult } from './tool.ts';

type TodoListChange = { ok: true; todo: Todo } | { ok: false; reason: string };

/** What may happen to a list (planning/todo-list.ts); steps count from 1. */
export interface TodoListRules {
  setSteps(todo: Todo, texts: readonly string[]): TodoListChange;
  setStatus(
    todo: Todo,
    change: { index: number; status: StepStatus; validation: string | undefined; mustValidate: boolean },
  ): TodoListChange;
  /** The whole list in short lines. */
  renderTodo(todo: Todo): string;
  /** One line: how far it is and what is next. */
  summarizeTodo(todo: Todo): string;
}

export interface TodoToolDeps {
  rules: TodoListRules;
  /** Step validation is on for this session now (E6). */
  mustValidate: (context: ToolContext) => boolean;
}

const actions = ['list', 'set', 'start', 'done', 'fail', 'skip'] as const;
type Action = (typeof actions)[number];

const parameters = z.object({
  action: z.enum(actions),
  step: z.int().optional(),
  steps: z.array(z.string()).optional(),
  validation: z.string().optional().describe('What proves it.'),
});

const statuses: Record<Exclude<Action, 'list' | 'set'>, StepStatus> = {
  start: 'in_progress',
  done: 'done',
  fail: 'failed',
  skip: 'skipped',
};

const said: Record<StepStatus, string> = {
  pending: 'waits',
  in_progress: 'is in progress',
  done: 'is done',
  failed: 'has failed',
  skipped: 'is skipped',
};

const actionWords = {
  show: 'list',
  get: 'list',
  read: 'list',
  view: 'list',
  create: 'set',
  write: 'set',
  replace: 'set',
  begin: 'start',
  in_progress: 'start',
  complete: 'done',
  completed: 'done',
  finish: 'done',
  finished: 'done',
  mark_done: 'done',
  failed: 'fail',
  skipped: 'skip',
  cancel: 'skip',
};

const argumentNames = {
  index: 'step',
  id: 'step',
  number: 'step',
  items: 'steps',
  tasks: 'steps',
  todos: 'steps',
  list: 'steps',
  reason: 'validation',
};

export function todoTool({ rules, mustValidate }: TodoToolDeps): Tool {
  return defineTool({
    name: 'todo',
    description: 'See, set or mark the steps.',
    parameters,
    otherWords: { names: argumentNames, actions: actionWords, finish: readLoosely },
    mutates: false,
    retrySafe: false,
    risk: 'read',
    about: 'agent',
    timeoutMs: 10_000,
    subject: ({ action, step }) => (step === undefined ? action : `${action} ${String(step)}`),
    need: () => ({
      summary: 'Change the todo list',
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute(args, context) {
      const { data } = context;
      if (args.action === 'list') return shown(rules.renderTodo(data.todo()));
      if (args.action === 'set') {
        data.setTodo(changed(rules.setSteps(data.todo(), args.steps ?? [])));
        return shown(rules.renderTodo(data.todo()));
      }
      if (args.step === undefined) throw new ToolFailure('Name the step by its number, from 1.');
      const status = statuses[args.action];
      const change = {
        index: args.step,
        status,
        validation: args.validation,
        mustValidate: mustValidate(context),
      };
      data.setTodo(changed(rules.setStatus(data.todo(), change)));
      const nudge =
        status === 'failed' && !args.validation?.trim() ? ' Say why in validation next time.' : '';
      const done = `Step ${String(args.step)} ${said[status]}.`;
      const words = advised((advise) => `${done}${advise(nudge)} ${rules.summarizeTodo(data.todo())}`);
      return { ok: true, ...words, display: null };
    },
  });
}

/** `update` with a status, `"step_2"` as a number, steps as lines of text or as objects. */
function readLoosely(args: Record<string, unknown>): void {
  const { action, status, step, steps } = args;
  if (
    typeof status === 'string' &&
    (typeof action !== 'string' || /^(?:update|mark|set_status)$/.test(actionWord(action)))
  ) {
    args['action'] = status;
    delete args['status'];
  }
  const number = typeof step === 'string' ? /^\D{0,6}(\d{1,4})\D?$/.exec(step.trim())?.[1] : undefined;
  if (number !== undefined) args['step'] = Number(number);
  if (typeof steps === 'string' && !steps.trim().startsWith('['))
    args['steps'] = steps.split('\n').map(withoutNumber);
  if (Array.isArray(steps)) args['steps'] = steps.map(textOfStep);
}

const withoutNumber = (line: string): string => line.replace(/^\s*(?:\d+[.)]|[-*•])\s*/, '');

function textOfStep(step: unknown): unknown {
  if (typeof step !== 'object' || step === null) return typeof step === 'string' ? withoutNumber(step) : step;
  return (
    Object.entries(step).find(([key]) => /^(?:text|task|title|step|content|description)$/.test(key))?.[1] ??
    step
  );
}

const shown = (content: string): ToolResult => ({ ok: true, content, display: null });

function changed(change: TodoListChange): Todo {
  if (change.ok) return change.todo;
  throw new ToolFailure(`The list is as it was: ${change.reason}.`);
}
