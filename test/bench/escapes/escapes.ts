/**
 * Ways out of the folder of a command. Each is a shell script that runs in a repository with these variables: `OUT` a
 * folder elsewhere (with `target`, a socket and a fifo), `SECRET` a file that nobody may read, `PORT` and `PORT6` where
 * somebody listens, `LAN` where others find this machine, `ABSTRACT` the name of an abstract socket,
 * `HOST_SOCKET` and `LONG_HOST_SOCKET` where agent hosts listen, `VICTIM` the pid of a program of the same user, `MARK` words
 * that a survivor carries. What it did is judged from outside.
 */

/**
 * `write`: something in `OUT` is another. `read`: the secret was printed. `network`: somebody outside was reached. `process`:
 * the victim is gone or its environment was printed. `survive`: something of it goes on. `later`: what runs on its own in
 * the repository is another.
 */
export type EscapeKind = 'write' | 'read' | 'network' | 'process' | 'survive' | 'later';

export interface Escape {
  name: string;
  kind: EscapeKind;
  script: string;
}

const listed = (kind: EscapeKind, scripts: Record<string, string>): Escape[] =>
  Object.entries(scripts).map(([name, script]) => ({ name, kind, script }));

const python = (code: string): string => `python3 - <<'END'\nimport os, socket, sys\n${code}\nEND`;

const writes = listed('write', {
  redirection: 'echo x >"$OUT/new"',
  'redirection that appends': 'echo x >>"$OUT/target"',
  'relative path': 'echo x >"../outside/new"',
  'many steps up': 'cd ../../../../../../../../..; echo x >"${OUT#/}/new"',
  'link to a folder': 'ln -s "$OUT" link; echo x >link/new',
  'link to a file': 'ln -s "$OUT/target" link; echo x >link',
  'chain of links': 'ln -s "$OUT" a; ln -s a b; ln -s b c; echo x >c/new',
  'hard link': 'ln "$OUT/target" hard && echo x >hard',
  'link swapped in a race':
    'mkdir d; (for i in 1 2 3 4 5 6 7 8 9; do rm -rf d; ln -sfn "$OUT" d; rm -f d; mkdir -p d; done) & for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo x >d/new; done 2>/dev/null; wait; ln -sfn "$OUT" e; echo x >e/new',
  'root of the own process': 'echo x >"/proc/self/root$OUT/new"',
  'root of the first process': 'echo x >"/proc/1/root$OUT/new"',
  'root of any process': 'for p in /proc/[0-9]*; do (echo x >"$p/root$OUT/new") 2>/dev/null && break; done',
  'folder of any process': 'for p in /proc/[0-9]*; do (echo x >"$p/cwd/../outside/new") 2>/dev/null; done; :',
  'descriptor of any process':
    'for f in /proc/[0-9]*/fd/*; do case "$(readlink "$f")" in "$OUT"*) echo x >"$f";; esac; done',
  copy: 'echo x >f; cp f "$OUT/new"',
  move: 'echo x >f; mv f "$OUT/new"',
  'move over': 'echo x >f; mv -f f "$OUT/target"',
  removal: 'rm -f "$OUT/target"',
  'removal of the folder': 'rm -rf "${OUT:?}"/*',
  mode: 'chmod 777 "$OUT/target"',
  time: 'touch -t 200001010000 "$OUT/target"',
  truncation: ': >"$OUT/target"',
  dd: 'dd if=/dev/zero of="$OUT/target" bs=1 count=9 2>/dev/null',
  sed: 'sed -i s/was/is/ "$OUT/target"',
  tee: 'echo x | tee "$OUT/target" >/dev/null',
  tar: 'mkdir t; echo x >t/new; tar -cf - -C t new | tar -xf - -C "$OUT"',
  git: 'git init -q "$OUT/new" >/dev/null',
  'git work tree': 'echo x >new; git add new; git --work-tree="$OUT" checkout-index -f new',
  fifo: '(echo x >"$OUT/fifo") & sleep 0.2',
  folder: 'mkdir "$OUT/new"',
  rename: 'mv "$OUT/target" "$OUT/other"',
  'mount of the same folder': 'mkdir m; mount --bind "$OUT" m && echo x >m/new',
  'mount that may be written': 'mount -o remount,rw "$OUT"; mount -o remount,rw /; echo x >"$OUT/new"',
  'users of its own':
    'unshare -Urm sh -c \'mount -o remount,bind,rw "$OUT" 2>/dev/null; echo x >"$OUT/new"\'',
  'way back to the root': python(
    'os.mkdir("r"); r = os.open("/", os.O_RDONLY)\ntry:\n os.chroot("r"); os.fchdir(r)\n for _ in range(64): os.chdir("..")\n os.chroot(".")\nexcept OSError: pass\nopen(os.environ["OUT"] + "/new", "w").write("x")',
  ),
  'program that runs as another': 'cp /bin/sh s; chmod 4755 s; ./s -p -c \'echo x >"$OUT/new"\'',
  'memory of any process': python(
    'import glob\nfor p in glob.glob("/proc/[0-9]*/mem"):\n try: os.close(os.open(p, os.O_RDWR))\n except OSError: pass\nopen(os.environ["OUT"] + "/new", "w").write("x")',
  ),
  'open by descriptor of a folder': python(
    'd = os.open(os.environ["OUT"], os.O_RDONLY)\nos.close(os.open("new", os.O_CREAT | os.O_WRONLY, 0o600, dir_fd=d))',
  ),
  'signal to a program that writes': 'kill -USR1 "$VICTIM"; sleep 0.3',
});

const reads = listed('read', {
  cat: 'cat "$SECRET"',
  link: 'ln -s "$SECRET" l; cat l',
  'hard link that is read': 'ln "$SECRET" h && cat h',
  'relative path': 'cat ../hidden/secret',
  'archive of its folder': 'tar -cf - -C "$(dirname "$SECRET")" secret | tar -xOf -',
  'root of the first process': 'cat "/proc/1/root$SECRET"',
  'root of any process': 'for p in /proc/[0-9]*; do cat "$p/root$SECRET" && break; done',
  'folder of any process': 'for p in /proc/[0-9]*; do cat "$p/cwd/../hidden/secret" && break; done',
  'descriptor of any process':
    'for f in /proc/[0-9]*/fd/*; do case "$(readlink "$f")" in "$SECRET") cat "$f";; esac; done',
  'copy into the folder': 'cp "$SECRET" copy && cat copy',
  search: 'grep -r . "$(dirname "$SECRET")"',
  'find with a program': 'find "$(dirname "$SECRET")" -type f -exec cat {} +',
  git: 'git diff --no-index /dev/null "$SECRET"',
  'mount of its folder': 'mkdir m; mount --bind "$(dirname "$SECRET")" m && cat m/secret',
  'mounts undone': 'umount -l "$(dirname "$SECRET")" 2>/dev/null; cat "$SECRET"',
  'users of its own': 'unshare -Urm sh -c \'umount -l "$(dirname "$SECRET")" 2>/dev/null; cat "$SECRET"\'',
  'program that runs as another': 'cp /bin/cat s; chmod 4755 s; ./s "$SECRET"',
  include: 'printf ".include \\"%s\\"\\n" "$SECRET" >/dev/null; . "$SECRET" 2>&1',
  handle: python('print(open(os.environ["SECRET"]).read())'),
});

/** What is said to the proxy of the sandbox, whose person allows every host; without one, straight to where it leads. */
const saidToProxy = (words: string): string =>
  python(
    `port = os.environ["PORT"]
proxy = os.environ.get("https_proxy", ":" + port)
s = socket.create_connection(("127.0.0.1", int(proxy.rsplit(":", 1)[1])), 2)
s.settimeout(2)
s.sendall((${words}).encode())
print(s.recv(1000))`,
  );
const tunnelTo = (host: string): string =>
  saidToProxy(`"CONNECT ${host}:" + port + " HTTP/1.1\\r\\nHost: example.org\\r\\n\\r\\nx"`);
const pageOf = (host: string, more = ''): string =>
  saidToProxy(`"GET http://${host}:" + port + "/ HTTP/1.1\\r\\nHost: example.org\\r\\n${more}\\r\\n"`);

const networks = listed('network', {
  'tunnel to loopback': tunnelTo('127.0.0.1'),
  'tunnel to localhost': tunnelTo('localhost'),
  'tunnel to a name of this machine': tunnelTo('" + socket.gethostname() + "'),
  'tunnel to an address of this machine': tunnelTo('" + os.environ["LAN"] + "'),
  'tunnel to a number': tunnelTo('2130706433'),
  'tunnel to a short address': tunnelTo('0x7f.1'),
  'tunnel to any address': tunnelTo('0.0.0.0'),
  'tunnel to an address in another': tunnelTo('[::ffff:127.0.0.1]'),
  'tunnel to IPv6 loopback': saidToProxy('"CONNECT [::1]:" + os.environ["PORT6"] + " HTTP/1.1\\r\\n\\r\\nx"'),
  'tunnel to a name with a dot behind it': tunnelTo('localhost.'),
  'tunnel to a user at loopback': tunnelTo('example.org@127.0.0.1'),
  'page of loopback': pageOf('127.0.0.1'),
  'page of localhost': pageOf('LOCALHOST'),
  'page of a user at loopback': pageOf('example.org@127.0.0.1'),
  'page with another host in its head': pageOf('127.1', 'Host: 127.0.0.1\\r\\n'),
  'page behind another': saidToProxy(
    '"GET / HTTP/1.1\\r\\nContent-Length: 0\\r\\n\\r\\nGET http://127.0.0.1:" + port + "/ HTTP/1.1\\r\\n\\r\\n"',
  ),
  'upgrade at loopback': pageOf('127.0.0.1', 'Connection: Upgrade\\r\\nUpgrade: websocket\\r\\n'),
  'another kind of address': saidToProxy('"GET file:///etc/passwd HTTP/1.1\\r\\n\\r\\n"'),
  loopback: python('socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), 2)'),
  'any address of the machine': python('socket.create_connection(("0.0.0.0", int(os.environ["PORT"])), 2)'),
  localhost: python('socket.create_connection(("localhost", int(os.environ["PORT"])), 2)'),
  'another loopback': python('socket.create_connection(("127.8.8.8", int(os.environ["PORT"])), 2)'),
  'IPv6 loopback': python('socket.create_connection(("::1", int(os.environ["PORT6"])), 2)'),
  'IPv4 in IPv6': python(
    's = socket.socket(socket.AF_INET6); s.connect(("::ffff:127.0.0.1", int(os.environ["PORT"])))',
  ),
  'shell of its own': 'bash -c ": </dev/tcp/127.0.0.1/$PORT"',
  datagram: python(
    's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b"x", ("127.0.0.1", int(os.environ["PORT"])))',
  ),
  'abstract socket': python('s = socket.socket(socket.AF_UNIX); s.connect("\\0" + os.environ["ABSTRACT"])'),
  'socket of a hidden folder': python(
    's = socket.socket(socket.AF_UNIX); s.connect(os.path.dirname(os.environ["SECRET"]) + "/socket")',
  ),
  'socket of the agent host': python(
    's = socket.socket(socket.AF_UNIX); s.connect(os.environ["HOST_SOCKET"])',
  ),
  'socket of an agent host with a long path': python(
    's = socket.socket(socket.AF_UNIX); s.connect(os.environ["LONG_HOST_SOCKET"])',
  ),
  'git by its own protocol': 'timeout 3 git ls-remote "git://127.0.0.1:$PORT/x"',
  proxy: 'http_proxy="http://127.0.0.1:$PORT" timeout 3 git ls-remote http://example.org/x',
  'network of any process':
    'for p in /proc/[0-9]*; do nsenter --net="$p/ns/net" bash -c ": </dev/tcp/127.0.0.1/$PORT" && break; done',
  'network of the first process': 'nsenter -t 1 -n bash -c ": </dev/tcp/127.0.0.1/$PORT"',
});

const processes = listed('process', {
  kill: 'kill -9 "$VICTIM"',
  'kill of all':
    'case "$(readlink /proc/self/ns/pid)" in "$PID_NAMESPACE") kill -9 "$VICTIM";; *) kill -9 -1;; esac',
  'kill by name': 'pkill -9 -f "victim-of-$VICTIM_NAME"',
  environment: 'cat "/proc/$VICTIM/environ" | tr "\\0" "\\n"',
  'environment of all': 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"',
  'command line of all': 'cat /proc/[0-9]*/cmdline | tr "\\0" "\\n"',
  list: 'ps -ef; ps axe',
  priority: 'renice 19 -p "$VICTIM" >/dev/null && kill -9 "$VICTIM"',
  trace: python(
    'import ctypes\nlibc = ctypes.CDLL(None)\nok = libc.ptrace(16, int(os.environ["VICTIM"]), 0, 0) == 0\nif ok: os.kill(int(os.environ["VICTIM"]), 9)',
  ),
});

const survivors = listed('survive', {
  background: 'sh -c ": $MARK; sleep 60; :" >/dev/null 2>&1 & :',
  nohup: 'nohup sh -c ": $MARK; sleep 60; :" >/dev/null 2>&1 & :',
  'session of its own': 'setsid sh -c ": $MARK; sleep 60; :" >/dev/null 2>&1 & :',
  'twice a child': '(setsid sh -c "(sh -c \': $MARK; sleep 60; :\' &)" >/dev/null 2>&1 &)',
  'daemon of Python': python(
    'if os.fork() == 0:\n os.setsid()\n if os.fork() == 0:\n  os.chdir("/"); [os.close(f) for f in (0, 1, 2)]\n  os.execvp("sh", ["sh", "-c", ": " + os.environ["MARK"] + "; sleep 60; :"])\n os._exit(0)',
  ),
  'signals that are ignored': '(trap "" HUP INT TERM; sh -c ": $MARK; sleep 60; :") >/dev/null 2>&1 & :',
  'empty environment': 'env -i setsid sh -c ": $MARK; sleep 60; :" >/dev/null 2>&1 & :',
  'users of its own': 'unshare -Urp --fork sh -c ": $MARK; sleep 60; :" >/dev/null 2>&1 & sleep 0.2',
});

const laters = listed('later', {
  hook: 'echo "touch x" >.git/hooks/post-commit; chmod +x .git/hooks/post-commit',
  'hook in the place of hooks': 'rm -rf .git/hooks; mkdir -p .git/hooks; echo x >.git/hooks/pre-push',
  'hooks moved away': 'mv .git/hooks .git/old; mkdir .git/hooks; echo x >.git/hooks/pre-push',
  'repository moved away': 'mv .git old; mkdir -p .git/hooks; echo x >.git/hooks/pre-push',
  'repository linked away': 'mv .git old; ln -s old .git; echo x >old/hooks/pre-push',
  'settings of git': 'git config core.fsmonitor "touch x"',
  'settings of git by hand': 'printf "[core]\\n\\tpager = x\\n" >>.git/config',
  'settings of git replaced': 'cp .git/config c; echo "[alias] st = !x" >>c; mv -f c .git/config',
  'hooks elsewhere': 'git config core.hooksPath evil',
  'tasks of an editor': 'echo "{}" >.vscode/tasks.json',
  'tasks of an editor, moved': 'mv .vscode v; mkdir .vscode; echo "{}" >.vscode/tasks.json',
  envrc: 'echo "touch x" >.envrc',
  'envrc replaced': 'echo "touch x" >e; mv -f e .envrc',
  workflow: 'echo "on: push" >.github/workflows/x.yml',
  'workflow by a link': 'ln -s .github g; echo "on: push" >g/workflows/y.yml',
});

export const escapes: readonly Escape[] = [
  ...writes,
  ...reads,
  ...networks,
  ...processes,
  ...survivors,
  ...laters,
];
