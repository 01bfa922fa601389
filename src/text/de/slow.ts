import type { slow as english } from '../en/slow.ts';
import type { InAnyWords } from '../in-any-words.ts';
import { bytes, count, percent, plural, tenths } from './figures.ts';
import { timesOf } from './times.ts';

const stepsOf = (steps: number): string => plural(steps, 'Schritt', 'Schritte');

const rate = new Intl.NumberFormat('de-DE', { maximumSignificantDigits: 2 });

const perSecond = (tokens: number): string => (tokens < 10 ? rate.format(tokens) : count(Math.round(tokens)));

/** Why is it slow? Findings with their evidence, and fixes that can be undone. */
export const slow: InAnyWords<typeof english> = {
  title: 'Warum ist es langsam?',
  label: 'Warum ist es langsam?',
  back: 'Zurück zur Sitzung',
  lead: (turns) => {
    if (turns === 0) return 'Nach dem aktuellen Stand.';
    return turns === 1
      ? 'Nach der letzten Runde, das Langsamste zuerst.'
      : `Nach den letzten ${count(turns)} Runden, das Langsamste zuerst.`;
  },
  none: {
    title: 'Alles in Ordnung',
    help: 'Das Modell liegt ganz auf der GPU. Nichts wurde neu gelesen oder noch einmal geladen.',
    speed: (reads, writes) => {
      const read = reads === null ? '' : `Zuletzt las es ${count(Math.round(reads))} Token pro Sekunde`;
      if (writes === null) return read;
      return read === ''
        ? `Zuletzt schrieb es ${perSecond(writes)} Token pro Sekunde`
        : `${read} und schrieb ${perSecond(writes)}`;
    },
    speedEnd: 'Das ist hier sein normales Tempo. Ein kleineres Modell ist schneller.',
  },
  unknown: 'Andiron kann das erst sagen, wenn Ollama antwortet.',
  cost: (ms) => `kostete etwa ${tenths(ms)}`,
  costUnknown: 'Dauer unbekannt',
  ongoing: 'bei jeder Antwort',
  done: 'Erledigt.',
  undo: 'Rückgängig machen',
  undone: 'Rückgängig gemacht.',

  spill: {
    title: (model, share) => `${percent(share)} von ${model} laufen auf der CPU`,
    evidence: (inVram, size) => `${bytes(inVram)} von ${bytes(size)} liegen im VRAM.`,
    others: (held) => `Andere Programme belegen ${bytes(held)} VRAM.`,
  },
  noGpu: {
    title: 'Andiron hat keine GPU gefunden',
    evidence: 'Modelle laufen auf der CPU, um ein Vielfaches langsamer als auf einer GPU.',
  },
  throttled: {
    title: 'Die GPU drosselt',
    causes: { heat: 'Zu heiß', power: 'Leistungslimit erreicht', other: 'Vom Treiber gedrosselt' },
    evidence: (cause, celsius, watts) =>
      `${cause}${celsius === null ? '' : `: ${Math.round(celsius)} °C`}${watts === null ? '' : `, ${Math.round(watts)} W`}.`,
    help: 'Verbessere die Kühlung oder erhöhe das Leistungslimit. Andiron kann beides nicht ändern.',
  },
  reread: {
    title: (tokens) => `${count(tokens)} Token wurden neu gelesen`,
    evidence: (cause, requests) => `${cause} (${stepsOf(requests)}).`,
    told: (what, requests) => `${what} (${stepsOf(requests)}).`,
    help: {
      andiron: 'Andiron hat seinen Prompt geändert. Melde es, wenn das in jeder Runde passiert.',
      template: 'Das liegt am Template dieses Modells. Ein Modell einer anderen Familie vermeidet das.',
      engine: 'Ein Modell, das geladen bleibt, vermeidet das.',
      checkpoint: 'Ein Modell einer anderen Familie vermeidet das.',
      other_program: 'Halte andere Programme von diesem Ollama fern, oder nimm das mitgelieferte.',
      person: 'Das hast du so gewählt. Es kostet nur einmal Zeit.',
      unknown:
        'Die Ursache ist unbekannt. Passiert es wieder, melde es mit den Diagnosedaten aus „Über Andiron“.',
    },
  },
  keptAlready:
    'Andiron hält das Modell schon geladen. Schließ Programme, die VRAM belegen, oder wähle ein kleineres Modell.',
  load: {
    title: (loads) => `Das Modell wurde ${timesOf(loads)} geladen`,
    evidence: (ms) => `Das Laden dauerte in diesen Runden ${tenths(ms)}.`,
  },
  incident: {
    titles: {
      reload: 'Das Modell wurde unerwartet noch einmal geladen',
      spill: 'Ein Teil des Modells landete auf der CPU',
      evicted: 'Das Modell wurde aus dem VRAM entladen',
      slot_lost: 'Ollama hat seinen Slot verloren',
      wasted_warm_up: 'Vorablesen hat nicht geholfen',
      refused_grammar: 'Eine Antwort mit Grammatik wurde abgelehnt',
      throttled: 'Die GPU wurde gedrosselt',
      other_program: 'Ein anderes Programm hat das Modell genutzt',
      runner_died: 'Der Prozess des Modells ist abgestürzt',
    },
    times: (times) => `In der letzten halben Stunde ${timesOf(times)}.`,
    help: {
      reload: 'Halte andere Programme von diesem Ollama fern, oder nimm das mitgelieferte.',
      evicted: 'Halte andere Programme von diesem Ollama fern, oder nimm das mitgelieferte.',
      slot_lost: 'Andiron hat das Modell noch einmal geladen. Passiert das oft, aktualisiere Ollama.',
      wasted_warm_up: 'Du musst nichts tun. Andiron hat es ausgeschaltet.',
      refused_grammar:
        'Du musst nichts tun: Andiron hat anders gefragt. Ein neueres Ollama nimmt die Grammatik vielleicht an.',
      other_program: 'Schließ das Programm, oder gib die GPU frei, solange du es brauchst.',
      runner_died: 'Passiert es wieder, schließ Programme, die VRAM belegen, oder wähle weniger Kontext.',
    },
  },
  window: {
    title: (ratio) => `Der Kontext ist zu ${percent(ratio)} voll`,
    evidence: (used, window) =>
      `${count(used)} von ${count(window)} Token sind belegt. Ältere Runden werden deshalb oft zusammengefasst.`,
    help: 'Fass ältere Runden zusammen, oder mach in einer neuen Sitzung weiter.',
  },
  prompt: {
    title: 'Der Prompt ist lang',
    evidence: (tokens, ms) =>
      `${count(tokens)} neue Token zu lesen dauerte ${tenths(ms)}, noch vor dem ersten Wort.`,
  },
  waits: {
    title: 'Runden warten auf die GPU',
    evidence: (holder, waiting) =>
      `${holder} nutzt sie. ${waiting === 1 ? 'Eine weitere wartet' : `${count(waiting)} weitere warten`}.`,
    help: 'Warte, oder stopp die laufende Runde.',
  },
  others: {
    title: 'Andere Programme arbeiten auf der GPU',
    evidence: (held, busy) =>
      `Sie belegen ${bytes(held)} VRAM. Ohne laufende Runde ist die GPU zu ${percent(busy)} ausgelastet.`,
    help: 'Halte sie an, dann hat das Modell die GPU für sich.',
  },
  tools: {
    title: (tool) => `Tools brauchten die meiste Zeit, vor allem ${tool}`,
    evidence: (ms, ratio) => `${tenths(ms)}, ${percent(ratio)} der letzten Runde, ganz ohne das Modell.`,
    help: 'Am Modell liegt es nicht. Versuch einen schnelleren oder gezielteren Befehl.',
  },
  writing: {
    title: 'Das Modell schreibt langsamer als vorher',
    evidence: (now, before) => `${now} Token pro Sekunde, vorher ${before}.`,
    help: 'Lange Gespräche bremsen das Modell. Eine Zusammenfassung kürzt sie.',
  },
  fix: {
    window: (tokens) => `Kontext auf ${count(tokens)} setzen`,
    eject: (model) => `${model} entladen`,
    ejectEffect: (vram) => `macht ${bytes(vram)} frei`,
    keepAlways: 'Immer geladen lassen',
    keepEffect: 'das Modell bleibt im VRAM, auch wenn Andiron geschlossen ist',
    compact: 'Jetzt zusammenfassen',
    compactEffect: 'eine zusätzliche Anfrage, lässt sich im Verlauf rückgängig machen',
    reload: 'Noch einmal laden',
    tools: 'Weniger Tools wählen',
    toolsEffect: 'weniger Token vor dem ersten Wort jeder Sitzung',
    models: 'Anderes Modell wählen',
    modelsEffect: 'öffnet die Modelle',
    hosts: 'Engine-Einstellungen',
    hostsEffect: 'das mitgelieferte Ollama',
  },
};
