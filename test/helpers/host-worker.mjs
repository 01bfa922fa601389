/** Runs the built agent host in a worker as Electron runs it in a utility process: `process.parentPort` is what differs. */
import { parentPort, workerData } from 'node:worker_threads';

/** Electron wraps what comes in an event with its ports. */
const electronStyle = (port, toEvent) => ({
  postMessage: (message) => port.postMessage(message),
  on: (event, listener) => port.on(event, (data) => listener(event === 'message' ? toEvent(data) : data)),
  start: () => port.start?.(),
  close: () => port.close(),
});

process.parentPort = electronStyle(parentPort, ({ message, ports }) => ({
  data: message,
  ports: ports.map((port) => electronStyle(port, (data) => ({ data, ports: [] }))),
}));
// A worker shares the mask of its process and may not change it.
process.umask = () => 0o022;
await import(workerData.entry);
