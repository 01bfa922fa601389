/**
 * Runs in the sandbox in front of a command: a port of its own for programs that know proxies by their address alone, which
 * leads to the socket file that was let in. In Python, because the packed app is no Node that could run in there.
 */
export const doorPath = '/dev/andiron-proxy';

/** `$1`: the socket file; then the command. Programs know the proxy by the variables of curl, Git, npm, pip, Go and Cargo. */
const bridge = `
import os, signal, socket, sys, threading

door, command = sys.argv[1], sys.argv[2:]
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
address = "http://127.0.0.1:%d" % listener.getsockname()[1]

def copy(source, target):
    try:
        while True:
            piece = source.recv(65536)
            if not piece:
                break
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

def join(client):
    with client, socket.socket(socket.AF_UNIX) as outside:
        try:
            outside.connect(door)
        except OSError:
            return
        back = threading.Thread(target=copy, args=(outside, client), daemon=True)
        back.start()
        copy(client, outside)
        back.join()

def serve():
    nothing = os.open("/dev/null", os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=join, args=(client,), daemon=True).start()

first = os.fork()
if first == 0:
    # A child of the first process of the sandbox, so the command has none that it did not start.
    if os.fork() == 0:
        serve()
    os._exit(0)
os.waitpid(first, 0)
listener.close()
for name in ("http_proxy", "https_proxy", "all_proxy"):
    os.environ[name] = os.environ[name.upper()] = address
os.environ["no_proxy"] = os.environ["NO_PROXY"] = "localhost,127.0.0.1,::1"
os.environ["NODE_USE_ENV_PROXY"] = "1"
# Python ignores both, and what it starts would too.
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
os.execvp(command[0], command)
`;

/**
 * @param python its absolute path
 * @param door the socket file, as the command sees it
 */
export const bridged = (
  python: string,
  { file, args }: { file: string; args: readonly string[] },
  door = doorPath,
): { file: string; args: string[] } => ({
  file: python,
  args: ['-I', '-S', '-c', bridge, door, file, ...args],
});
