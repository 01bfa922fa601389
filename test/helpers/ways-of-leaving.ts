/**
 * Ways in which a command's processes get away from it: out of its process group, its session, its environment, its
 * folder. Each is run through a command tool for real, once until the command ends and once until it is stopped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface WayOfLeaving {
  name: string;
  /** Shell text that starts `payload` (one word, an executable file) so that it outlives the shell. */
  shell: (payload: string) => string;
  /** Shell text that succeeds where this way exists; absent = everywhere. */
  needs?: string;
}

const daemonInPerl = [
  'use POSIX;',
  'exit if fork; POSIX::setsid(); exit if fork; chdir "/"; umask 0;',
  'POSIX::close($_) for 0..255; %ENV = (); exec $ARGV[0];',
].join(' ');

export const waysOfLeaving: readonly WayOfLeaving[] = [
  { name: 'background', shell: (payload) => `${payload} &` },
  { name: 'nohup', shell: (payload) => `nohup ${payload} >/dev/null 2>&1 &` },
  { name: 'double fork', shell: (payload) => `( ( ${payload} & ) & )` },
  { name: 'ignored signals', shell: (payload) => `( trap '' HUP INT TERM; ${payload} & )` },
  { name: 'job control', shell: (payload) => `set -m; ${payload} & set +m` },
  { name: 'setsid', shell: (payload) => `setsid ${payload} &`, needs: 'command -v setsid' },
  { name: 'setsid -f', shell: (payload) => `setsid -f ${payload}`, needs: 'command -v setsid' },
  {
    name: 'setsid, double fork, closed files',
    shell: (payload) => `setsid sh -c 'cd /; ( ${payload} & ) & ' <&- >&- 2>&- &`,
    needs: 'command -v setsid',
  },
  { name: 'env -i', shell: (payload) => `env -i ${payload} &` },
  { name: 'env -i setsid', shell: (payload) => `env -i setsid ${payload} &`, needs: 'command -v setsid' },
  {
    name: 'env -i setsid, double fork, closed files, /',
    shell: (payload) =>
      `env -i setsid /bin/sh -c 'cd /; exec 0<&- 1>&- 2>&- 3>&-; ( ${payload} & ) & exit' &`,
    needs: 'command -v setsid',
  },
  {
    name: 'env -i setsid, ignored signals',
    shell: (payload) => `env -i setsid /bin/sh -c 'trap "" HUP INT TERM; exec ${payload}' &`,
    needs: 'command -v setsid',
  },
  {
    name: 'env -i setsid, no lock limit left',
    shell: (payload) =>
      `env -i setsid bash -c 'ulimit -x 0; cd /; exec <&- >&- 2>&-; ( ${payload} & ) & exit' &`,
    needs: 'command -v setsid && bash -c "ulimit -x 0"',
  },
  {
    name: 'env -i setsid, lock limit lower by one',
    shell: (payload) =>
      `env -i setsid bash -c 'ulimit -x $(($(ulimit -x) - 1)); cd /; exec <&- >&- 2>&-; ( ${payload} & ) & exit' &`,
    needs: 'command -v setsid && bash -c "ulimit -x 5"',
  },
  {
    name: 'env -i setsid prlimit',
    shell: (payload) =>
      `env -i setsid prlimit --locks=0 sh -c 'cd /; exec <&- >&- 2>&-; ( ${payload} & ) & exit' &`,
    needs: 'command -v setsid && prlimit --locks=0 true',
  },
  {
    name: 'disown',
    shell: (payload) => `bash -c 'set -m; ${payload} >/dev/null 2>&1 & disown -a; exit'`,
    needs: 'command -v bash',
  },
  {
    name: 'exec -a, another name',
    shell: (payload) => `env -i bash -c 'exec -a "[kworker/0:1]" setsid -f ${payload}'`,
    needs: 'command -v bash && command -v setsid',
  },
  {
    name: 'daemon in perl',
    shell: (payload) => `perl -e '${daemonInPerl}' ${payload}`,
    needs: 'perl -MPOSIX -e 1',
  },
  {
    name: 'start-stop-daemon',
    shell: (payload) => `env -i /usr/sbin/start-stop-daemon --start --background --exec ${payload}`,
    needs: 'test -x /usr/sbin/start-stop-daemon',
  },
  {
    name: 'server of tmux',
    shell: (payload) => `env -i tmux -L "left-$$" -f /dev/null new-session -d ${payload}`,
    needs: 'tmux -L left-probe -f /dev/null start-server',
  },
  {
    name: 'screen',
    shell: (payload) => `env -i HOME="$PWD" screen -d -m ${payload}`,
    needs: 'command -v screen',
  },
  {
    name: 'namespace of its own',
    shell: (payload) => `env -i setsid unshare --user --map-current-user --pid --fork ${payload} &`,
    needs: 'unshare --user --map-current-user --pid --fork true',
  },
  {
    name: 'scope of systemd',
    shell: (payload) => `env -i XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR" systemd-run --user --scope ${payload} &`,
    needs: 'systemd-run --user --scope true',
  },
];

/** Runs a command with the tool under test; resolves when its result is there, whatever it says. */
export type RunCommand = (
  command: string,
  options: { signal: AbortSignal; onOutput: (text: string) => void },
) => Promise<unknown>;

/** `at once`: the command ends without waiting until what it started runs. */
export const endings = ['at once', 'end', 'stop'] as const;

export interface SurvivorSearch {
  run: RunCommand;
  /** An empty folder; paths with a space or a quote are not for shell text. */
  folder: string;
  ways?: readonly WayOfLeaving[];
  /** How long a survivor has to show itself. */
  watchMs?: number;
}

/**
 * Names of ways, each with the ending, whose payload still worked after the result. Ends them before it resolves. One
 * after the other, but watched together: what got away early has the longest to show itself.
 */
export async function findSurvivors(search: SurvivorSearch): Promise<string[]> {
  const { run, folder, ways = availableWays(), watchMs = 400 } = search;
  const left: { name: string; payload: Payload; before: number }[] = [];
  try {
    for (const [index, way] of ways.entries()) {
      for (const ending of endings) {
        const place = join(folder, `${String(index)}-${ending.replace(' ', '-')}`);
        mkdirSync(place);
        const each = { name: `${way.name}: ${ending}`, payload: writePayload(place), before: Infinity };
        left.push(each);
        await leave(run, way, ending, place, each.payload.path);
        each.before = each.payload.beats();
      }
    }
    await sleep(watchMs);
    return left.filter(({ payload, before }) => payload.beats() > before).map(({ name }) => name);
  } finally {
    for (const { payload } of left) payload.stop();
  }
}

export const availableWays = (): WayOfLeaving[] =>
  waysOfLeaving.filter(
    ({ needs }) =>
      needs === undefined || spawnSync('/bin/sh', ['-c', needs], { stdio: 'ignore' }).status === 0,
  );

interface Payload {
  path: string;
  /** How often it has shown that it works. */
  beats: () => number;
  stop: () => void;
}

/** Writes a byte every few milliseconds until its stop file is there, for a minute at most. */
function writePayload(place: string): Payload {
  const [path, beat, stop] = ['payload', 'beat', 'stop'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  const lines = [
    '#!/bin/sh',
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'n=0',
    `while [ ! -e ${stop} ] && [ $n -lt 2000 ]; do printf x >>${beat}; n=$((n + 1)); sleep 0.03; done`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  return {
    path,
    beats: () => (existsSync(beat) ? statSync(beat).size : 0),
    stop: () => writeFileSync(stop, ''),
  };
}

async function leave(
  run: RunCommand,
  way: WayOfLeaving,
  ending: (typeof endings)[number],
  place: string,
  payload: string,
): Promise<void> {
  const stop = new AbortController();
  const wait = `while [ ! -s ${join(place, 'beat')} ]; do sleep 0.02; done`;
  const rest = { 'at once': '', end: wait, stop: `${wait}; echo it runs; sleep 600` }[ending];
  await run(`cd ${place}\n${way.shell(payload)}\n${rest}`, {
    signal: stop.signal,
    onOutput: (text) => {
      if (text.includes('it runs')) stop.abort();
    },
  });
}
