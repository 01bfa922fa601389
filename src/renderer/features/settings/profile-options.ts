import type { Profile } from '../../../protocol/model.ts';
import type { Option } from '../../components/fields.tsx';
import { profiles as text } from '../../text.ts';

/** The profiles to choose from; with the chosen one also where it is gone, for a list shows its first entry else. */
export function profileOptions(profiles: readonly Profile[], chosen: string): Option[] {
  const known = profiles.map(({ id, name }) => ({ value: id, label: name }));
  if (chosen === '' || profiles.some(({ id }) => id === chosen)) return known;
  return [{ value: chosen, label: text.gone(chosen) }, ...known];
}
