import { useState } from 'react';
import type { EngineState } from '../../../protocol/model.ts';
import { library, settings } from '../../text.ts';
import { PullRow } from '../../components/pull-row.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useEngine } from '../../stores/stores.ts';
import { Catalogue } from './catalogue.tsx';
import { FailureLine } from './pane-parts.tsx';
import { InstalledModels } from './installed-models.tsx';
import { ModelPage } from './model-page.tsx';
import { useAttempt } from './use-attempt.ts';
import settingsStyles from './settings.module.css';
import libraryStyles from './library.module.css';

const text = settings.models;

/** The library: what is installed, what is on its way, what could be had; and a page for each model. */
export function ModelsPane() {
  const engine = useEngine((state) => state.engine);
  const [open, setOpen] = useState<string | null>(null);
  if (!engine) return <p className={`${settingsStyles.emptyPane} t2`}>{settings.engineNotYet}</p>;
  if (engine.status.kind !== 'running')
    return <p className={`${settingsStyles.emptyPane} t2`}>{text.notRunning}</p>;
  // A model that was deleted leaves its page by itself.
  const model = engine.models.find(({ name }) => name === open);
  if (model) return <ModelPage key={model.name} model={model} engine={engine} onBack={() => setOpen(null)} />;
  return (
    <div className={settingsStyles.pane}>
      <h2>{text.title}</h2>
      {engine.models.length === 0 ? (
        <p className="t2">{text.none}</p>
      ) : (
        <InstalledModels engine={engine} onOpen={setOpen} />
      )}
      <Pulls engine={engine} />
      <Catalogue engine={engine} />
    </div>
  );
}

function Pulls({ engine: { pulls } }: { engine: EngineState }) {
  const { registry } = useCommands();
  const { failure, attempt } = useAttempt();
  if (pulls.length === 0) return null;
  return (
    <>
      <h2>{library.pull.title}</h2>
      <div className={libraryStyles.downloads}>
        {pulls.map((pull) => (
          <PullRow
            key={pull.model}
            pull={pull}
            actions={{
              onPause: () => void attempt(() => registry['model/pull-pause'].run({ model: pull.model })),
              onResume: () => void attempt(() => registry['model/pull'].run({ model: pull.model })),
              onForget: () => void attempt(() => registry['model/pull-forget'].run({ model: pull.model })),
            }}
          />
        ))}
      </div>
      {failure && <FailureLine failure={failure} />}
    </>
  );
}
