import { bytes } from '../format.ts';

/** The message box and its chips. */
export const composer = {
  label: 'Message',
  placeholder: { idle: 'Message Andiron', busy: 'Queue a message', first: 'Describe a task' },
  send: 'Send',
  stop: 'Stop',
  stopping: 'Stopping',
  queue: 'Queue',
  queued: {
    label: 'Queued messages',
    waits: (place: number): string => (place === 0 ? 'Next:' : 'Then:'),
    unsent: 'Not sent:',
    /** Why they wait: the host died with them in the queue. */
    unsentWhy: 'Andiron ended before it was sent. It goes before whatever you write now.',
    send: 'Send',
    edit: 'Edit',
    up: 'Move the queued message up',
    remove: 'Remove the queued message',
    field: 'Queued message',
    keep: 'Keep',
    leave: 'Leave as it was',
  },
  profile: {
    label: 'Profile',
    none: 'No profile',
    builtIn: 'built in',
    nextReply: 'From the next reply on. Its prompt is read anew.',
  },
  model: {
    label: 'Model',
    none: 'No model',
    auto: 'Chosen by the profile',
    loaded: 'loaded',
    loads: (size: number): string => `loads ${bytes(size)}`,
    noTools: 'no tools',
    heading: 'Installed models',
  },
  approvals: {
    label: 'Approvals',
    short: { ask: 'Asks for everything', auto_read: 'Asks for changes' },
    long: {
      ask: 'Ask before every tool',
      auto_read: 'Read without asking, ask for changes and commands',
    },
    note: 'Commands always ask until they can be sandboxed.',
    heading: (profile: string): string => `Approvals of ${profile}`,
  },
} as const;
