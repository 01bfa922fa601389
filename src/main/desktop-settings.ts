/** What belongs to the shell on this computer and to no session: `desktop/settings.json` in the data folder. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { privateFileMode } from '../platform/private-data.ts';
import { renameOverNow } from '../platform/rename-over.ts';
import { keepAwakeChoices, type DesktopSettings } from '../protocol/desktop.ts';
import { parseJson } from '../protocol/json.ts';

export const defaultDesktopSettings: DesktopSettings = {
  keepAwake: 'mains',
  hardwareAcceleration: true,
  checkUpdates: true,
};

const shape = {
  keepAwake: z.enum(keepAwakeChoices),
  hardwareAcceleration: z.boolean(),
  checkUpdates: z.boolean(),
};
/** As the page asks; nothing in it is trusted. */
export const desktopSettingsChangeSchema = z.strictObject(shape).partial();
/** One value that nobody understands costs only itself; what another version wrote is kept. */
const fileSchema = z.looseObject({
  keepAwake: shape.keepAwake.catch(defaultDesktopSettings.keepAwake),
  hardwareAcceleration: shape.hardwareAcceleration.catch(defaultDesktopSettings.hardwareAcceleration),
  checkUpdates: shape.checkUpdates.catch(defaultDesktopSettings.checkUpdates),
});

/** What is absent or undefined stays. */
export type SettingsChange = { [K in keyof DesktopSettings]?: DesktopSettings[K] | undefined };

export type DesktopSettingsFile = ReturnType<typeof openDesktopSettings>;

/** Reads the file at once, as some of it counts before the app is ready. Unreadable or absent = the defaults. */
export function openDesktopSettings(path: string) {
  let stored = read(path);
  const current = (): DesktopSettings => {
    const { keepAwake, hardwareAcceleration, checkUpdates } = stored;
    return { keepAwake, hardwareAcceleration, checkUpdates };
  };
  return {
    /** As last read or changed. */
    current,
    /** Throws when the file cannot be written; then everything is as before. */
    change(change: SettingsChange): DesktopSettings {
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const next = { ...stored, ...Object.fromEntries(given) };
      write(path, next);
      stored = next;
      return current();
    },
  };
}

function read(path: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(parseJson(readFileSync(path, 'utf8')));
  } catch {
    return { ...defaultDesktopSettings };
  }
}

function write(path: string, settings: object): void {
  mkdirSync(dirname(path), { recursive: true });
  const beside = `${path}.new`;
  try {
    writeFileSync(beside, `${JSON.stringify(settings, null, 2)}\n`, { mode: privateFileMode });
    renameOverNow(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
