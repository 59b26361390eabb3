/**
 * What waits to be printed. Organizations take turns: whoever has waited longest for a turn is next, and an organization whose turn
 * it was goes behind all others that wait, also behind those that come while its order is being printed.
 */
export class PrintQueue<Job> {
  readonly #most: { each: number; all: number };
  /** The organizations that have orders waiting, in the order of their turns. */
  readonly #waiting = new Map<string, Job[]>();
  #count = 0;
  #printing: string | null = null;

  constructor(most: { each: number; all: number }) {
    this.#most = most;
  }

  /**
   * Adds an order. Returns the order that finds no room, if there is one: this one, or if the queue is full of another
   * organization's orders, the newest of those. So nobody can fill the queue for others.
   */
  add(organization: string, job: Job): Job | null {
    const queue = this.#waiting.get(organization) ?? [];
    if (queue.length >= this.#most.each) return job;
    let refused: Job | null = null;
    if (this.#count >= this.#most.all) {
      const [owner, longest] = this.#longest();
      if (longest.length <= queue.length + 1) return job;
      refused = longest.pop()!;
      this.#count -= 1;
      if (longest.length === 0) this.#waiting.delete(owner);
    }
    queue.push(job);
    this.#count += 1;
    if (queue.length === 1) this.#waiting.set(organization, queue);
    return refused;
  }

  /** The next order. The order that was taken before is done. */
  take(): { job: Job; organization: string } | null {
    const before = this.#printing;
    const left = before === null ? undefined : this.#waiting.get(before);
    if (left !== undefined) {
      this.#waiting.delete(before!);
      this.#waiting.set(before!, left);
    }
    const [turn] = this.#waiting;
    this.#printing = turn?.[0] ?? null;
    if (turn === undefined) return null;
    const [organization, queue] = turn;
    const job = queue.shift()!;
    this.#count -= 1;
    if (queue.length === 0) this.#waiting.delete(organization);
    return { job, organization };
  }

  #longest(): [string, Job[]] {
    return [...this.#waiting].reduce((longest, one) => (one[1].length > longest[1].length ? one : longest));
  }
}
