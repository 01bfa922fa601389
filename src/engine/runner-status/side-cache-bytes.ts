/**
 * How much main memory a runner keeps for conversations that were left. No API tells. What it allocated
 * since it worked on its first request is that, with the checkpoints of the one it holds: a runner's own buffers are
 * allocated until then. Linux only; measured within a few MB of the runner's own log.
 */
import type { RunnerSlot } from '../../protocol/model.ts';

export interface SideCacheDeps {
  /** Loaded models, by name. */
  loaded: () => readonly string[];
  pid: (model: string) => Promise<number | null>;
  slots: (model: string) => Promise<RunnerSlot[] | null>;
  /** Was its load seen, so that what it works on now is about its first request? */
  sawLoad: (model: string) => boolean;
  /** Of a process, bytes; rejects or null where that cannot be read. */
  allocatedBytes: (pid: number) => Promise<number | null>;
}

export interface SideCache {
  /** Over all runners whose beginning is known; null = none. Never rejects. */
  estimate(): Promise<number | null>;
}

/** Steps are coarse: noise is no news. */
const step = 16 * 1024 ** 2;
/** What it keeps at most, by its own limit. */
const limit = 8 * 1024 ** 3;

interface Course {
  pid: number;
  /** undefined = it has not begun its first request. */
  firstTask: number | undefined;
  /** Moves until the first request is over. */
  ownBytes: number;
  isSettled: boolean;
}

export function createSideCache({ loaded, pid, slots, sawLoad, allocatedBytes }: SideCacheDeps): SideCache {
  const courses = new Map<string, Course | null>();

  const begin = async (model: string, process: number, bytes: number): Promise<Course | null> => {
    const all = await slots(model);
    const isFresh = all?.every(({ taskId }) => taskId === null) ?? false;
    return isFresh || sawLoad(model)
      ? { pid: process, firstTask: undefined, ownBytes: bytes, isSettled: false }
      : null;
  };

  const follow = async (model: string, course: Course, bytes: number): Promise<void> => {
    if (course.isSettled) return;
    const [newest] =
      (await slots(model))?.flatMap(({ taskId }) => taskId ?? []).toSorted((a, b) => b - a) ?? [];
    if (newest === undefined) return;
    course.firstTask ??= newest;
    if (course.firstTask === newest) course.ownBytes = Math.max(course.ownBytes, bytes);
    else course.isSettled = true;
  };

  const ofModel = async (model: string): Promise<number | null> => {
    const process = await pid(model);
    const bytes = process === null ? null : await allocatedBytes(process);
    if (process === null || bytes === null) return null;
    let course = courses.get(model);
    // A runner that was at work before it was first seen has an unknown beginning.
    if (course === undefined || (course && course.pid !== process)) {
      course = await begin(model, process, bytes);
      courses.set(model, course);
    }
    if (!course) return null;
    await follow(model, course, bytes);
    return Math.min(limit, Math.max(0, bytes - course.ownBytes));
  };

  return {
    async estimate() {
      const models = loaded();
      for (const model of courses.keys()) if (!models.includes(model)) courses.delete(model);
      const found = await Promise.all(models.map((model) => ofModel(model).catch(() => null)));
      const known = found.filter((bytes) => bytes !== null);
      if (known.length === 0) return null;
      return Math.round(known.reduce((sum, bytes) => sum + bytes, 0) / step) * step;
    },
  };
}
