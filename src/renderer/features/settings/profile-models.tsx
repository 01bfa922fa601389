/** The models of a profile, the preferred one first. */
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { EngineState, Profile, ProfileChanges } from '../../../protocol/model.ts';
import { profiles, settings } from '../../text.ts';
import { bytes } from '../../formats.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { isComposing } from '../../components/composing.ts';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { loadedModel } from '../../stores/derive.ts';
import { Form } from '../../components/fields.tsx';
import profilesStyles from './profiles.module.css';
import settingsStyles from './settings.module.css';

const text = settings.profiles;
const words = profiles.models;
const maxAddable = 200;

interface ProfileModelsProps {
  profile: Profile;
  engine: EngineState | null;
  onChange: (changes: ProfileChanges) => void;
}

export function ProfileModels({ profile: { models }, engine, onChange }: ProfileModelsProps) {
  const [naming, setNaming] = useState(false);
  const [moved, setMoved] = useState<{ name: string; by: -1 | 1 } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  // Of a server that lists more than anybody can look at; any other is added by its name.
  const addable = (engine?.models ?? []).filter((model) => !models.includes(model.name)).slice(0, maxAddable);

  // A row that moves takes the keyboard with it.
  useLayoutEffect(() => {
    if (!moved) return;
    const row = list.current?.children[models.indexOf(moved.name)];
    row?.querySelector<HTMLElement>(moved.by < 0 ? '[data-act=up]' : '[data-act=down]')?.focus();
  }, [moved, models]);

  const move = (name: string, by: -1 | 1): void => {
    const from = models.indexOf(name);
    const to = from + by;
    if (to < 0 || to >= models.length) return;
    onChange({ models: models.toSpliced(from, 1).toSpliced(to, 0, name) });
    setMoved({ name, by });
  };
  const add = (name: string): void => {
    setMoved(null);
    onChange({ models: [...models, name] });
  };
  return (
    <section aria-label={text.models}>
      <h3>
        {text.models}
        <span className="meta">{text.modelsNote}</span>
      </h3>
      {models.length === 0 && <p className={`meta ${profilesStyles.lineOf}`}>{text.modelsAny}</p>}
      <ol ref={list}>
        {models.map((name, index) => (
          <li className={profilesStyles.mrow} key={name}>
            <span className="meta num">{index + 1}</span>
            <span className="cut" title={name} dir="auto">
              {name} <ModelTag name={name} engine={engine} />
            </span>
            <ModelSize name={name} engine={engine} />
            <span className={settingsStyles.actsOf}>
              {models.length > 1 && (
                <>
                  <IconButton
                    icon="up"
                    data-act="up"
                    label={words.up(name)}
                    aria-disabled={index === 0}
                    onClick={() => move(name, -1)}
                  />
                  <IconButton
                    icon="up"
                    className={profilesStyles.turned}
                    data-act="down"
                    label={words.down(name)}
                    aria-disabled={index === models.length - 1}
                    onClick={() => move(name, 1)}
                  />
                </>
              )}
              <IconButton
                icon="x"
                label={text.modelsRemove(name)}
                onClick={() => onChange({ models: models.filter((other) => other !== name) })}
              />
            </span>
          </li>
        ))}
      </ol>
      <output className="sr-only">
        {moved && words.place(moved.name, models.indexOf(moved.name) + 1, models.length)}
      </output>
      {naming ? (
        <ModelName taken={models} onTake={add} onClose={() => setNaming(false)} />
      ) : (
        <Menu
          trigger={
            <Button kind="quiet" small icon="plus" className={profilesStyles.add}>
              {text.modelsAdd}
            </Button>
          }
        >
          {addable.map((model) => (
            <MenuItem key={model.name} icon="cpu" onClick={() => add(model.name)}>
              {model.name} <span className="meta num">{bytes(model.sizeBytes)}</span>
            </MenuItem>
          ))}
          {addable.length > 0 && <MenuSeparator />}
          <MenuItem icon="edit" onClick={() => setNaming(true)}>
            {words.another}
          </MenuItem>
        </Menu>
      )}
    </section>
  );
}

function findInstalled(engine: EngineState | null, name: string) {
  return engine?.models.find((model) => model.name === name || model.name === `${name}:latest`);
}

function ModelTag({ name, engine }: { name: string; engine: EngineState | null }) {
  if (loadedModel(engine, name)) return <span className="tag">{text.loaded}</span>;
  // Nothing is called missing before the list was read.
  const known = engine?.modelsReadAt != null;
  return known && !findInstalled(engine, name) ? <span className="tag warn">{text.missing}</span> : null;
}

function ModelSize({ name, engine }: { name: string; engine: EngineState | null }) {
  const model = findInstalled(engine, name);
  return <span className="meta num">{model && bytes(model.sizeBytes)}</span>;
}

/** What Ollama takes as a name, with a registry and an owner before it or without. */
const modelName = /^[\w.:/-]+$/;

interface ModelNameProps {
  taken: readonly string[];
  onTake: (name: string) => void;
  onClose: () => void;
}

/** A model by a name that is not installed, or not yet. Enter adds it; Escape leaves the field. */
function ModelName({ taken, onTake, onClose }: ModelNameProps) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const name = typed.trim();
  const refusal =
    name === ''
      ? null
      : taken.includes(name)
        ? words.listed
        : modelName.test(name)
          ? null
          : words.nameInvalid;
  const add = (): void => {
    if (name === '' || refusal !== null) return;
    onTake(name);
    onClose();
  };
  return (
    <Form className={profilesStyles.modelName} onSubmit={add}>
      <label className={refusal === null ? 'input' : 'input is-bad'}>
        <input
          ref={field}
          aria-label={words.anotherLabel}
          aria-describedby={id}
          aria-invalid={refusal !== null}
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
            // It would also close the settings.
            event.stopPropagation();
            onClose();
          }}
        />
      </label>
      <Button onClick={add} aria-disabled={name === '' || refusal !== null}>
        {words.addVerb}
      </Button>
      <Button kind="quiet" icon="x" label={profiles.createKeep} onClick={onClose} />
      <p className={refusal === null ? 'meta' : 'meta fail'} id={id}>
        {refusal ?? words.anotherHelp}
      </p>
    </Form>
  );
}
