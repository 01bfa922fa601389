import type { ModelInfo } from '../../../protocol/model.ts';
import { settings } from '../../text.ts';

const text = settings.models;
const names: Partial<Record<string, string>> = text.capabilities;

/** What a model can do besides talking; that it has no tools is what matters to an agent. */
export function Capabilities({ model: { capabilities } }: { model: Pick<ModelInfo, 'capabilities'> }) {
  if (capabilities === null) return <span className="meta">{text.capabilitiesUnknown}</span>;
  const shown = capabilities.filter((name) => name !== 'completion');
  return (
    <>
      {shown.map((name) => (
        <span className="tag" key={name}>
          {Object.hasOwn(names, name) ? names[name] : name}
        </span>
      ))}
      {capabilities.includes('completion') && !capabilities.includes('tools') && (
        <span className="tag warn">{text.noTools}</span>
      )}
    </>
  );
}
