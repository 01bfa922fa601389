/** A host that is killed: runs one turn's commands, or takes them back. `killed-child.ts ROOT SEED command|undo` */
import { UndoWorld } from '../../../src/host/file-changes/points/testing.ts';
import { Draw, drawSlow } from './actions.ts';

const [root = '', seed = '', what = ''] = process.argv.slice(2);
const world = await UndoWorld.open({ root });
const draw = new Draw(Number(seed));
const alive = setInterval(() => undefined, 1_000);
console.log('ready');
if (what === 'undo') await world.changes.undo('s', undefined, 't1');
else for (let left = 3; left > 0; left -= 1) await world.run(drawSlow(draw), 't1');
clearInterval(alive);
world.leave();
