import type { HandOuts } from './hand-outs.ts';
import type { SharedParts } from './shared-parts.ts';

export { eventPath, note } from './shared-parts.ts';

/** What the parts of an engine share. */
export interface Parts extends SharedParts {
  readonly handOuts: HandOuts;
}
