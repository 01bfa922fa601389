/** The lists of a profile: its models in order, its tools, and the prompt itself. */
import type { EngineState, Profile, ProfileChanges } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';
import { bytes } from '../../../text/format.ts';
import { Button } from '../../components/button.tsx';
import { Menu, MenuItem } from '../../components/menu.tsx';
import { loadedModel } from '../../stores/derive.ts';

const text = settings.profiles;

interface ListProps {
  profile: Profile;
  onChange: (changes: ProfileChanges) => void;
}

export function ProfileModels({ profile, engine, onChange }: ListProps & { engine: EngineState | null }) {
  const { models } = profile;
  const installed = engine?.models ?? [];
  const addable = installed.filter((model) => !models.includes(model.name));
  const prefer = (index: number): void => {
    const name = models[index];
    if (name === undefined) return;
    const others = models.filter((other) => other !== name);
    onChange({ models: others.toSpliced(index - 1, 0, name) });
  };
  return (
    <section aria-label={text.models}>
      <h3>
        {text.models}
        <span className="meta">{text.modelsNote}</span>
      </h3>
      {models.length === 0 && <p className="meta line-of">{text.modelsAny}</p>}
      <ol>
        {models.map((name, index) => (
          <li className="mrow" key={name}>
            <span className="meta num">{index + 1}</span>
            <span className="cut" title={name}>
              {name} <ModelTag name={name} engine={engine} />
            </span>
            <span className="acts-of">
              {index > 0 && (
                <Button
                  kind="quiet"
                  small
                  icon="up"
                  label={text.modelsUp(name)}
                  onClick={() => prefer(index)}
                />
              )}
              <Button
                kind="quiet"
                small
                icon="x"
                label={text.modelsRemove(name)}
                onClick={() => onChange({ models: models.filter((other) => other !== name) })}
              />
            </span>
          </li>
        ))}
      </ol>
      {addable.length > 0 && (
        <Menu
          trigger={
            <Button kind="quiet" small icon="plus" className="add">
              {text.modelsAdd}
            </Button>
          }
        >
          {addable.map((model) => (
            <MenuItem
              key={model.name}
              icon="cpu"
              onClick={() => onChange({ models: [...models, model.name] })}
            >
              {model.name} <span className="meta num">{bytes(model.sizeBytes)}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </section>
  );
}

function ModelTag({ name, engine }: { name: string; engine: EngineState | null }) {
  if (loadedModel(engine, name)) return <span className="tag">{text.loaded}</span>;
  // Nothing is called missing before the list was read.
  const known = engine?.modelsReadAt != null;
  const there = engine?.models.some((model) => model.name === name || model.name === `${name}:latest`);
  return known && !there ? <span className="tag warn">{text.missing}</span> : null;
}

const described: Partial<Record<string, string>> = settings.tools;

export function ProfileTools({ profile, onChange }: ListProps) {
  const names = [...new Set([...Object.keys(settings.tools), ...profile.tools])];
  const toggle = (name: string): void => {
    const on = profile.tools.includes(name);
    // In the order of the list, so that the same choice is always the same head.
    onChange({ tools: names.filter((other) => (other === name ? !on : profile.tools.includes(other))) });
  };
  return (
    <section aria-label={text.tools}>
      <h3>
        {text.tools}
        <span className="meta">{text.toolsCount(profile.tools.length)}</span>
      </h3>
      <ul>
        {names.map((name) => {
          const on = profile.tools.includes(name);
          return (
            <li key={name}>
              <label className={on ? 'trow' : 'trow off'}>
                <input type="checkbox" className="box" checked={on} onChange={() => toggle(name)} />
                <span className="mono cut">{name}</span>
                <span className="meta">{described[name]}</span>
              </label>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function ProfilePrompt({ profile }: { profile: Profile }) {
  return (
    <section aria-label={text.prompt}>
      <h3>
        {text.prompt}
        <span className="meta num">{text.promptSize(profile.systemPrompt.length)}</span>
      </h3>
      <details className="prompt">
        <summary>{text.promptShow}</summary>
        <p className="out">{profile.systemPrompt}</p>
      </details>
    </section>
  );
}
