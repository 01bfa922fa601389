/** Asks the server for an update in a process that can be killed: `update-child.ts ORIGIN FOLDER PUBLIC-KEY`. */
import { installCopy } from './update-server.ts';

const [origin = '', folder = '', publicKey = ''] = process.argv.slice(2);
const found = await installCopy({ origin, folder, publicKey }).updater.checkForUpdates();
await found?.downloadPromise;
