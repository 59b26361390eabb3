import type { Findable } from './match.ts';

type Kind = 'attendee' | 'registration' | 'action' | 'screen' | 'event' | 'contact' | 'member' | 'key' | 'webhook';

/** Something that is found and can be opened or done. */
export interface Item extends Findable {
  id: string;
  kind: Kind;
  hint?: string | undefined;
  go: () => void;
}
