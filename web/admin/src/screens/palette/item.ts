import type { Findable } from './match.ts';

type Kind = 'attendee' | 'registration' | 'action' | 'screen' | 'event' | 'contact' | 'member' | 'key' | 'webhook';

/** Something that can be found, and what opens it. */
export interface Item extends Findable {
  id: string;
  kind: Kind;
  hint?: string | undefined;
  go: () => void;
}
