import { slow } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { priceWords } from '../../components/price-words.ts';
import { usePrice } from '../../commands/use-prices.ts';
import { rereadPrice } from '../../../rules/price.ts';
import { usePricing } from '../../stores/use-pricing.ts';
import type { DiagnosisInput, Finding, Fix } from './findings.ts';
import { fixVerb } from './fix-words.ts';
import styles from './slow.module.css';

const text = slow.fix;

interface FixesProps {
  finding: Finding;
  known: DiagnosisInput;
  onApply: (fix: Fix) => Promise<void>;
}

/** What helps, each with what it does or costs. */
export function Fixes({ finding: { fixes }, known, onApply }: FixesProps) {
  if (fixes.length === 0) return null;
  return (
    <div className={styles.fixes}>
      {fixes.map((fix) => (
        <div className={styles.fix} key={fixVerb(fix)}>
          <Button small onClick={() => void onApply(fix)}>
            {fixVerb(fix)}
          </Button>
          <span className="meta num">
            <Effect fix={fix} known={known} />
          </span>
        </div>
      ))}
    </div>
  );
}

function Effect({ fix, known }: { fix: Fix; known: DiagnosisInput }) {
  switch (fix.do) {
    case 'window':
      return <LoadEffect model={known.model} tokens={fix.tokens} />;
    case 'reload':
      return <LoadEffect model={fix.model} tokens={fix.contextTokens} />;
    case 'eject':
      return text.ejectEffect(fix.bytes);
    case 'keep':
      return text.keepEffect;
    case 'compact':
      return text.compactEffect;
    case 'open':
      return { profiles: text.toolsEffect, models: text.modelsEffect, engine: text.hostsEffect }[fix.section];
  }
}

/** Both a load and the whole session read anew. */
function LoadEffect({ model, tokens }: { model: string | null; tokens: number | null }) {
  const pricing = usePricing();
  const price = usePrice(
    {
      load: model === null ? null : { model, again: true, bytes: null },
      reread: pricing.asked ? { ...rereadPrice(pricing, model), maybe: false } : null,
      unread: !pricing.asked,
    },
    tokens ?? 0,
  );
  return priceWords(price);
}
