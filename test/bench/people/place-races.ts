/** Messages that come at the same moment to a place where nobody has written before. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Part } from '../engine/figures.ts';
import { Chance } from '../prefix/chance.ts';
import { platform, servers, Town } from './town.ts';

const people = 4;
/** So many races run side by side. */
const atOnce = 10;

export async function benchPlaces(seed: number, races: number): Promise<Part> {
  const chance = new Chance(seed);
  const town = await Town.open(people, { speed: 1_000 });
  try {
    let split = 0;
    let messages = 0;
    for (let from = 0; from < races; from += atOnce) {
      const each = Array.from({ length: Math.min(atOnce, races - from) }, async (_, at) => {
        const channel = `race ${String(from + at)}`;
        const server = chance.pick(servers);
        const senders = Array.from({ length: 2 + chance.below(3) }, () => chance.pick(town.neighbours));
        messages += senders.length;
        const answers = await Promise.all(
          senders.map(({ name }) => town.send({ name, server }, 'Me first.', channel)),
        );
        if (new Set(answers.map(({ sessionId }) => sessionId)).size !== 1) split += 1;
      });
      await Promise.all(each);
    }
    const { places, duplicates } = countPlaces(join(town.world.dir, 'data', 'andiron.db'));
    return {
      title: 'places',
      figures: { races, messages, places, duplicate_places: duplicates + split },
      gates: [
        { figure: 'duplicate_places', at: 'exactly', limit: 0 },
        { figure: 'places', at: 'exactly', limit: races },
      ],
      rows: [['races', 'messages', 'places'], [races, messages, places].map(String)],
    };
  } finally {
    await town.close();
  }
}

/** In the file itself, whatever Andiron says of it. */
function countPlaces(path: string): { places: number; duplicates: number } {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db
      .prepare(
        `SELECT server, channel, thread, count(*) AS times FROM sessions
         WHERE platform = ? AND channel LIKE 'race %' GROUP BY server, channel, thread`,
      )
      .all(platform);
    return { places: rows.length, duplicates: rows.filter(({ times }) => times !== 1).length };
  } finally {
    db.close();
  }
}
