import type { Manifest } from '@turnout/client';
import type { RosterState } from '../roster/api.ts';
import type { Clock } from './clock.ts';
import { AT_START, after, type Heard, type Link } from './link.ts';
import { groupOf } from './shapes.ts';
import type { Status } from './types.ts';

/** What is known at the moment, and who wants to be told when it changes. */
export class Board {
  link: Link = AT_START;
  roster: RosterState | null = null;
  /** The manifest that was heard last. It counts while there is no roster, so that a point can be chosen meanwhile. */
  coming: Manifest | null = null;
  loading: Status['loading'] = null;
  storage: Status['storage'] = 'ok';
  persistent = false;
  elsewhere = false;
  notRecorded = 0;
  readonly #clock: Clock;
  readonly #queue: () => number;
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock, queue: () => number) {
    this.#clock = clock;
    this.#queue = queue;
  }

  status(): Status {
    return {
      connection: this.link.connection,
      refusal: this.link.refusal,
      queue: this.#queue(),
      notRecorded: this.notRecorded,
      tickets: this.roster?.tickets ?? null,
      rosterAt: this.roster?.at ?? null,
      loading: this.loading,
      narrowed: groupOf(this.manifest) !== null,
      storage: this.storage,
      persistent: this.persistent,
      clockOff: this.#clock.off(),
      elsewhere: this.elsewhere,
    };
  }

  get manifest(): Manifest | null {
    return this.roster?.manifest ?? this.coming;
  }

  heard(heard: Heard): void {
    const before = this.link;
    this.link = after(before, heard);
    if (this.link.connection !== before.connection || this.link.refusal !== before.refusal) this.changed();
  }

  /** Whether scanning goes on: the device may decide, or ask. */
  get scanning(): boolean {
    return !this.elsewhere && (this.link.connection === 'online' || this.link.connection === 'offline');
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A listener that fails must not stop the scanning. */
  changed(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    }
  }
}
