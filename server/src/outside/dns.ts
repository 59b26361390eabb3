import { Resolver } from 'node:dns/promises';

/** How long a question may take altogether. Whoever owns a name also runs its server, which may never answer. */
const TIMES = { deadlineMs: 4000, tryMs: 1500 };
/** An answer can be no longer than 64 KB. Of more records than these nobody needs the rest. */
const MAX_RECORDS = 100;

/** A name that does not exist, and a name without such records. Everything else is a failure of the resolver. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the resolvers of the configuration, or those of this machine. */
export class Dns {
  readonly #servers: readonly string[];
  readonly #times: typeof TIMES;
  readonly #pendingAnswers = new Map<string, Promise<string[] | null>>();

  constructor(servers: readonly string[], times: Partial<typeof TIMES> = {}) {
    this.#servers = servers;
    this.#times = { ...TIMES, ...times };
  }

  /**
   * The texts of the TXT records of a name; none if there are none. Null: nobody answered, so that it is not known. Those who ask for
   * the same name at the same time share one question.
   */
  txt(name: string): Promise<string[] | null> {
    const pending = this.#pendingAnswers.get(name);
    if (pending !== undefined) return pending;
    const asking = this.#ask(name).finally(() => this.#pendingAnswers.delete(name));
    this.#pendingAnswers.set(name, asking);
    return asking;
  }

  async #ask(name: string): Promise<string[] | null> {
    // A resolver of its own for each question: it keeps no answer from before, and it can be cancelled alone.
    const resolver = new Resolver({ timeout: this.#times.tryMs, tries: 2 });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const deadline = setTimeout(() => resolver.cancel(), this.#times.deadlineMs);
    try {
      // A long text is sent in parts of 255 bytes.
      return (await resolver.resolveTxt(name)).slice(0, MAX_RECORDS).map((parts) => parts.join(''));
    } catch (error) {
      return NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
    } finally {
      clearTimeout(deadline);
    }
  }
}

declare module '../road/operation.ts' {
  interface Outside {
    dns: Dns;
  }
}
