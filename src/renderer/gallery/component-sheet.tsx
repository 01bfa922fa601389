/** Every component in every state, on one page (ui/components). */
import { useState, type ReactNode } from 'react';
import { Bar, BarKey, ProgressBar } from '../components/bar.tsx';
import { Button, type ButtonKind } from '../components/button.tsx';
import { CodeBlock } from '../components/code/code-block.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { DiffView } from '../components/diff-view.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Markdown } from '../components/markdown/markdown.tsx';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { Mark, type StateLook } from '../components/state-mark.tsx';
import { Unshown } from '../features/transcript/unshown.tsx';
import { IconSheet } from './icon-sheet.tsx';
import { answer, diffDisplay } from './session-fixtures.ts';
import frame from '../app/frame.module.css';
import card from '../features/transcript/card.module.css';
import bars from '../components/bar.module.css';

const colors =
  's0 s1 s2 s3 t1 t2 t3 l1 l2 l3 ember ember-fill ember-tint ok ok-tint warn warn-tint fail fail-tint wait wait-tint v-weights v-cache v-other v-free p-cached p-new p-reread ink focus'.split(
    ' ',
  );

const buttons: [kind: ButtonKind, words: string, icon?: IconName][] = [
  ['primary', 'Run the sample task'],
  ['ink', 'Stop', 'stop'],
  ['plain', 'Choose your own folder'],
  ['quiet', 'Edit command'],
  ['danger', 'Delete 3 sessions', 'trash'],
];

const states: [word: string, meaning: string, look: StateLook][] = [
  ['Queued', 'has not started', { icon: 'queued', tone: 'still' }],
  ['Running', 'works now', { icon: 'running', tone: 'run' }],
  ['Asks', 'waits for you', { icon: 'wait', tone: 'wait' }],
  ['Done', 'finished', { icon: 'done', tone: 'done' }],
  ['Proved', 'finished, with evidence', { icon: 'done', tone: 'ok' }],
  ['Failed', 'ended with an error', { icon: 'failed', tone: 'fail' }],
  ['Declined', 'you said no', { icon: 'declined', tone: 'still' }],
  ['Stopped', 'you stopped it', { icon: 'stopped', tone: 'still' }],
  ['Interrupted', 'cut off, may have run', { icon: 'cut', tone: 'warn' }],
  ['Limit reached', 'iterations used up', { icon: 'cap', tone: 'warn' }],
  ['Warning', 'works, needs a look', { icon: 'alert', tone: 'warn' }],
  ['Not sandboxed', 'runs as you', { icon: 'bare', tone: 'warn' }],
  ['Sandboxed', 'folder only, no network', { icon: 'shield', tone: 'still' }],
  ['Cold', 'not loaded', { icon: 'cold', tone: 'still' }],
  ['Loading', 'about 40 %', { icon: 'clock', tone: 'still' }],
  ['Warm', 'loaded', { icon: 'warmth', tone: 'still' }],
  ['Hot', 'loaded, prompt read', { icon: 'hot', tone: 'still' }],
];

const vram = [
  { key: 'model', look: bars.weights, value: 16.5 },
  { key: 'cache', look: bars.cache, value: 3.4 },
  { key: 'other', look: bars.other, value: 1.3 },
];

const code = `// the two clocks must not drift apart
it('renews on the injected clock', () => {
  const lease = new Lease(fakeClock(1_000), 500);
  lease.renew(2);
});`;

export function ComponentSheet() {
  return (
    <>
      <Part title="Colour">
        <ul className="g-colors">
          {colors.map((name) => (
            <li key={name}>
              <i style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Type">
        <p className="g-20">20/28 semibold: first-run titles only</p>
        <p className="g-16">16/24 semibold: pane and dialog titles, the prefill clock</p>
        <p className="g-14">14/22 regular: your messages, answers, composer</p>
        <p>
          13/20 regular: interface. <span className="medium">Medium: verbs, buttons, selection.</span>{' '}
          <span className="strong">Semibold: section titles.</span>
        </p>
        <p className="meta num">12/16 regular: meta, units, help. 140,010 and 21.2 GB in tabular figures.</p>
        <p className="mono">12/18 mono: paths, commands, code, tool names: src/queue/lease.ts:47</p>
      </Part>
      <Part title="Buttons">
        <Buttons />
      </Part>
      <Part title="Chips and tags">
        <div className="g-wrap">
          <Chip icon="user" words="Developer" />
          <Chip icon="cpu" words="qwen3.8:27b" />
          <Chip icon="shield" words="Ask before changes" />
          <span className="tag">loaded</span>
          <span className="tag ok">fits, 2.8 GB free</span>
          <span className="tag warn">
            <Icon name="alert" />
            12 of 64 layers on the CPU
          </span>
          <span className="tag fail">needs 27.4 GB</span>
          <span className="tag wait">1 asks</span>
          <kbd>Ctrl K</kbd> <kbd>Esc</kbd>
        </div>
      </Part>
      <Part title="States">
        <ul className="g-states">
          {states.map(([word, meaning, look]) => (
            <li key={word}>
              <Mark {...look} />
              {word} <span className="meta">{meaning}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Inputs">
        <div className="g-three">
          <Field icon="search" label="Search" placeholder="Search sessions" />
          <Field label="With words" value="lease" />
          <Field label="Refused" value="developer/../x" bad />
        </div>
      </Part>
      <Part title="Bars">
        <div className="g-three">
          <Figure bar={<Bar tall total={24} label="VRAM" parts={vram} />}>
            <BarKey look={bars.weights}>weights 16.5</BarKey>
            <BarKey look={bars.cache}>cache 3.4</BarKey>
            <BarKey look={bars.other}>other 1.3</BarKey>
            <BarKey look={bars.free}>free 2.8</BarKey>
          </Figure>
          <Figure
            bar={
              <Bar
                label="Prompt"
                parts={[
                  { key: 'cached', look: bars.cached, value: 1640 },
                  { key: 'new', look: bars.fresh, value: 60 },
                  { key: 'reread', look: bars.reread, value: 8220 },
                ]}
              />
            }
          >
            <BarKey look={bars.cached}>1,640 cached</BarKey>
            <BarKey look={bars.fresh}>60 new</BarKey>
            <span className="warn">
              <BarKey look={bars.reread}>8,220 re-read, 10.0 s</BarKey>
            </span>
          </Figure>
          <Figure bar={<Bar label="Unknown" parts={[]} />}>Cached tokens unknown</Figure>
          <Figure bar={<ProgressBar ratio={0.4} label="Loading" />}>Loading, about 40 %</Figure>
          <Figure bar={<ProgressBar ratio={0} label="Begun" />}>Just begun</Figure>
          <Figure bar={<ProgressBar ratio={1} label="Full" />}>Longer than last time</Figure>
        </div>
      </Part>
      <Part title="Menu and dialog">
        <Overlays />
      </Part>
      <Part title="Code, diff, answer">
        <div className="g-two">
          <CodeBlock code={code} language="ts" growing={false} />
          <DiffView diff={diffDisplay} label={diffDisplay.path} />
          <Markdown text={answer} complete />
          <Markdown text="Still being written: **bold that has not clo" complete={false} />
        </div>
      </Part>
      <Part title="Notices">
        <div className="g-two">
          <p className="notice">
            <Icon name="redo" />
            <span className="grow">Connecting to the agent host</span>
            <span className="meta">your draft is kept</span>
          </p>
          <p className={frame.toast}>
            <Mark icon="failed" tone="fail" />
            <span className="grow">The profile could not be saved: disk full</span>
          </p>
          <div className="banner warn">
            <Icon name="alert" />
            <h3>Another program reloaded qwen3.8:27b</h3>
            <p className="t2">Its window was 4,096, yours is 32,768.</p>
          </div>
          <section className={card.card}>
            <Unshown item={{ id: 'item_1' }} reason="text is undefined" />
          </section>
          <div className="banner fail">
            <Icon name="failed" />
            <h3>No first token within 120 s</h3>
            <p className="t2">Ollama answers, but its slot is lost.</p>
          </div>
        </div>
      </Part>
      <Part title="Icons">
        <IconSheet />
      </Part>
    </>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="g-part">
      <h2>{title}</h2>
      <div>{children}</div>
    </section>
  );
}

function Buttons() {
  return (
    <table className="g-buttons">
      <thead>
        <tr>
          {['Kind', 'Rest', 'Hover', 'With a key', 'Small', 'Disabled'].map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buttons.map(([kind, words, icon]) => {
          const look = { kind, ...(icon && { icon }) };
          return (
            <tr key={kind}>
              <th scope="row">{kind}</th>
              <td>
                <Button {...look}>{words}</Button>
              </td>
              <td>
                <Button {...look} className="is-hover">
                  {words}
                </Button>
              </td>
              <td>
                <Button {...look} keys={['Esc']}>
                  {words}
                </Button>
              </td>
              <td>
                <Button {...look} small>
                  {words}
                </Button>
              </td>
              <td>
                <Button {...look} disabled>
                  {words}
                </Button>
              </td>
            </tr>
          );
        })}
        <tr>
          <th scope="row">icon alone</th>
          <td>
            <Button icon="clip" label="Attach" />
          </td>
          <td>
            <Button kind="quiet" icon="clip" label="Attach" className="is-hover" />
          </td>
          <td>none</td>
          <td>
            <Button kind="quiet" small icon="x" label="Close" />
          </td>
          <td>
            <Button kind="quiet" icon="clip" label="Attach" disabled />
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function Chip({ icon, words }: { icon: IconName; words: string }) {
  return (
    <button type="button" className="chip">
      <Icon name={icon} />
      {words}
      <Icon name="down" />
    </button>
  );
}

function Field(props: {
  icon?: IconName;
  label: string;
  placeholder?: string;
  value?: string;
  bad?: boolean;
}) {
  const { icon, label, placeholder, value, bad = false } = props;
  return (
    <label className={bad ? 'input is-bad' : 'input'}>
      {icon && <Icon name={icon} />}
      <input aria-label={label} placeholder={placeholder} defaultValue={value} aria-invalid={bad} />
    </label>
  );
}

function Figure({ bar, children }: { bar: ReactNode; children: ReactNode }) {
  return (
    <div className="g-figure">
      {bar}
      <p className="meta g-wrap">{children}</p>
    </div>
  );
}

function Overlays() {
  const [asking, setAsking] = useState(false);
  const [model, setModel] = useState('qwen3.8:27b');
  return (
    <div className="g-wrap">
      <Menu trigger={<Button>Actions</Button>}>
        <MenuItem icon="pin" keys={['P']} onClick={() => undefined}>
          Pin
        </MenuItem>
        <MenuItem icon="edit" keys={['F2']} onClick={() => undefined}>
          Rename
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon="trash" keys={['Del']} danger onClick={() => setAsking(true)}>
          Delete
        </MenuItem>
      </Menu>
      <Menu trigger={<Button>Choices</Button>}>
        <MenuChoices
          heading="Model"
          value={model}
          note="A note under the choices."
          choices={[
            { value: 'qwen3.8:27b', label: 'qwen3.8:27b', meta: 'loaded' },
            { value: 'qwen3.5:9b', label: 'qwen3.5:9b', help: 'Smaller, quicker', meta: 'loads 6.1 GB' },
            { value: 'gone:7b', label: 'gone:7b', meta: 'not installed', disabled: true },
          ]}
          onChoose={setModel}
        />
      </Menu>
      <Button onClick={() => setAsking(true)}>Ask</Button>
      <ConfirmDialog
        open={asking}
        title="Delete “Import old tickets”?"
        text="Its messages and tool results are deleted. Files in the workspace stay as they are."
        confirm="Delete session"
        keep="Keep session"
        onConfirm={() => undefined}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
