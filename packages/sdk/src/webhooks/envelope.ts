import type { Payloads } from '../generated/schemas.ts';

/** The 19 types of webhooks. */
export type EventType = keyof Payloads;

/**
 * The signed body. `Envelope` is a union, so checking `type` also narrows `data`. An endpoint that subscribes to `*` also gets types
 * that are added later, so give a `switch` over `type` a default.
 */
export type Envelope<Type extends EventType = EventType> = {
  [T in Type]: {
    /** `evt_` and a ULID. Retries and replays of an occurrence have the same id, so remember it to recognize repeats. */
    id: string;
    type: T;
    /** May be absent in a test event. */
    api_version?: string;
    created_at: string;
    /** False for test events and for everything that was done with a test key. */
    livemode: boolean;
    data: Payloads[T];
  };
}[Type];
