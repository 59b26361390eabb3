import type { Engine, PairedEvent } from '../engine/types.ts';

/** What the screens need of a device besides an open event. main.tsx makes it of the engine, the gallery of made-up answers. */
export interface Host {
  paired(): Promise<readonly PairedEvent[]>;
  pair(code: string, name: string): Promise<PairedEvent>;
  /** Opens an event in the session of a member. */
  join(org: string, event: string): Promise<PairedEvent>;
  /** `takeOver`: from another tab that scans. */
  open(id: string, options: { takeOver: boolean }): Promise<Engine>;
  /** Removes an event from this device. `evenIfWaiting`: also if it holds scans that the server has not recorded. */
  leave(id: string, options: { evenIfWaiting: boolean }): Promise<void>;
  /** Whether what this device kept was deleted, by somebody or by the browser. */
  storage(): Promise<'ok' | 'wiped' | 'missing'>;
  /** Notes that somebody has read the notice about deleted storage. */
  wipeSeen(): void;
  /** Loads a newer version of this app, for a server that refuses this one. False: there is none. */
  update(): Promise<boolean>;
  /** Changes to a newer version that is loaded already. */
  applyUpdate(): Promise<boolean>;
}
