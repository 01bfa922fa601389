/** Answers with all that is drawn: mathematics, diagrams, pictures of the folder, tables, changes. */
import type { SessionSnapshot } from '../../protocol/model.ts';
import type { Answers } from './answering-engine.ts';
import { openSession } from './fixtures.ts';
import { reportStory } from './story.ts';

const fence = '```';

const jitter = String.raw`When many workers fail together, they also retry together. With *full jitter* each waits a random time below the exponential limit $m_n$, which costs \$0.02 instead of $5 and $10:

$$
t_n \sim \mathrm{U}(0, m_n), \quad m_n = \min\left(t_{\max},\ t_0 \cdot 2^{n-1}\right), \quad \mathrm{E}[t_n] = \frac{1}{2} m_n
$$

The mean wait halves. For \(k\) workers the chance that two meet is at most \(\binom{k}{2} \frac{1}{m_n}\):

\[ P \le \sum_{i<j} \int_0^{m_n} \frac{\mathrm{d}t}{m_n^2} = \begin{cases} \dfrac{k(k-1)}{2 m_n} & \text{if } m_n > 0 \\[4pt] 1 & \text{otherwise} \end{cases} \]

${fence}mermaid
stateDiagram-v2
  [*] --> Ready
  Ready --> Running : take
  Running --> Done : ok
  Running --> Waiting : fails
  Waiting --> Ready : after a random wait
  Waiting --> Given_up : 5 attempts
${fence}

## What it does to the load

![Retries a second, with and without jitter](bench/retry-load.png)

| Delay | Busiest second | Mean wait | Done after |
|:------|---------------:|----------:|-----------:|
| No jitter | 498 retries | 1.55 s | 8.2 s |
| Equal jitter | 211 retries | 1.16 s | 6.9 s |
| Full jitter | 144 retries | $\tfrac{1}{2} m_n$ | 6.1 s |

${fence}diff
--- a/src/queue/retry.ts
+++ b/src/queue/retry.ts
@@ -12,4 +12,5 @@ export function delayOf(attempt: number): number {
-  return base * 2 ** attempt;
+  const limit = Math.min(base * 2 ** attempt, longest);
+  return random() * limit;
 }
${fence}

The picture ![of an earlier run](https://example.com/earlier.png) is not in the folder, and ${'`$HOME`'} is no mathematics.`;

const diagrams = String.raw`A request and its answer:

${fence}mermaid
sequenceDiagram
  participant W as Worker
  participant Q as Queue
  participant S as Store
  W->>Q: take(job)
  Q->>S: lease, 30 s
  S-->>Q: ok
  Q-->>W: job 17
  loop every 10 s
  W->>Q: renew
  end
  Note over W,Q: The clock is injected
${fence}

What is kept:

${fence}mermaid
erDiagram
  JOB ||--o{ LEASE : has
  JOB {
    string id PK
    int attempts
  }
  LEASE {
    string worker FK
    date expires
  }
${fence}

${fence}mermaid
xychart-beta
  title "Retries in each second"
  x-axis [1, 2, 3, 4, 5, 6]
  y-axis "Retries" 0 --> 500
  bar [480, 20, 460, 40, 440, 10]
  line [140, 130, 110, 90, 70, 60]
${fence}

A plan with parts:

${fence}mermaid
flowchart LR
  A[Read the report] --> B{Is the clock real?}
  B -->|yes| C[Inject one]
  B -->|no| D[(Look at the store)]
  subgraph proof [Proof]
  E[200 runs] --> F[Log]
  end
  C --> E
  D -.-> E
${fence}

One that has a mistake:

${fence}mermaid
gantt
  title A kind that is not drawn
${fence}

Mathematics that cannot be read stays as it was written: $\frac{1}{$, and so does ![nothing](gone.png).

$$
\begin{pmatrix} a_{11} & a_{12} & \cdots & a_{1n} \\ a_{21} & a_{22} & \cdots & a_{2n} \\ \vdots & \vdots & \ddots & \vdots \\ a_{m1} & a_{m2} & \cdots & a_{mn} \end{pmatrix} \begin{pmatrix} x_1 \\ x_2 \\ \vdots \\ x_n \end{pmatrix} = \overbrace{\sqrt[3]{\frac{\hat{y} + \vec{v}}{\overline{z}}}}^{\text{all of it}} \ne \mathbb{R}, \mathcal{L}, \mathfrak{g}, \nabla f'(x), \lim_{x \to 0} \oint \cancel{b}
$$`;

function told(now: number, question: string, text: string): SessionSnapshot {
  const story = reportStory(now);
  story.turn(question);
  story.say({ kind: 'text', text });
  story.usage({});
  return story.snapshot(openSession);
}

export const contentSession = (now: number): SessionSnapshot =>
  told(now, 'Add jitter to the retry delay and show me why it helps.', jitter);
export const diagramSession = (now: number): SessionSnapshot =>
  told(now, 'Draw how the queue works.', diagrams);

const curve = (colour: string, points: string): string =>
  `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="3"/>`;
const chart =
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="200"><rect width="640" height="200" fill="#fbfaf8"/>` +
  curve('#8a8178', '20,180 40,20 60,180 200,180 220,30 240,180 400,180 420,40 440,180 620,180') +
  `${curve('#ad420f', '20,180 90,110 200,118 330,128 470,140 620,150')}</svg>`;

/** The one picture that lies in the folder. */
export const contentAnswers: Answers = {
  'file/read-picture': ({ path }: { path: string }) =>
    path === 'bench/retry-load.png'
      ? { name: 'retry-load.png', mime: 'image/svg+xml', data: btoa(chart) }
      : { name: path, mime: 'image/png', data: 'iVBORw0KGgo=' },
};
