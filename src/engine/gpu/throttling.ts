/** Calls out a GPU that is held back for long while it works. */
import type { Clock } from '../../platform/clock.ts';
import type { GpuSample } from '../../protocol/model.ts';
import type { NewIncident } from '../incidents/incidents.ts';

type Reason = NonNullable<GpuSample['throttled']>[number];

const heldBackMs = 30_000;
/** A card at its limit comes and goes: a short pause ends no spell. */
const pauseMs = 10_000;
/** What was said is not said again for a while: it does not get truer. */
const silenceMs = 15 * 60_000;
/** Percent from which a card is under load. */
const loadPercent = 50;

const words: Record<Reason, { why: string; advice: string }> = {
  heat: {
    why: 'it is too hot',
    advice:
      'Everything takes longer until it is cooler. Free its air inlets, or let it run with a lower power limit.',
  },
  power: {
    why: 'it is at its power limit',
    advice:
      'This is normal at full load; on a laptop, plug in the power supply or choose the performance mode.',
  },
  other: {
    why: 'the driver slows it down',
    advice: 'Look at the power supply and at the driver’s own monitor for the reason.',
  },
};

interface Spell {
  since: number;
  lastSeen: number;
}

export function createThrottleWatch(clock: Clock) {
  const spells = new Map<Reason, Spell>();
  const calledOutAt = new Map<Reason, number>();

  const note = (reason: Reason, gpu: GpuSample, model: string | null): NewIncident[] => {
    const now = clock.monotonic();
    const spell = spells.get(reason) ?? { since: now, lastSeen: now };
    spell.lastSeen = now;
    spells.set(reason, spell);
    const isKnown = now - (calledOutAt.get(reason) ?? -Infinity) < silenceMs;
    if (isKnown || now - spell.since <= heldBackMs) return [];
    calledOutAt.set(reason, now);
    const { why, advice } = words[reason];
    const degrees = gpu.temperatureC === null ? '' : ` (${String(gpu.temperatureC)} °C)`;
    const seconds = Math.round((now - spell.since) / 1_000);
    const message = `${gpu.name} has run slower than it could for ${String(seconds)} seconds: ${why}${degrees}.`;
    return [{ kind: 'throttled', model, message, advice, costMs: null }];
  };

  return {
    /** A sample of all GPUs. @param model what is in use; null = nothing of ours. */
    look(gpus: readonly GpuSample[], model: string | null): NewIncident[] {
      const now = clock.monotonic();
      const found = gpus.flatMap((gpu) => {
        const isBusy = gpu.utilization === null ? model !== null : gpu.utilization >= loadPercent;
        return isBusy ? (gpu.throttled ?? []).flatMap((reason) => note(reason, gpu, model)) : [];
      });
      for (const [reason, spell] of spells) if (now - spell.lastSeen > pauseMs) spells.delete(reason);
      return found;
    },
  };
}
