/** Counts what is under way, so that a stop can wait for its end. */
export class UnderWay {
  #count = 0;
  #onNone: (() => void)[] = [];

  /** Begins one. The function that is returned ends it, and is called once. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      if (this.#count === 0) for (const done of this.#onNone.splice(0)) done();
    };
  }

  /** Waits until nothing is under way, but at most so many milliseconds. Answers how many are left. */
  async settled(ms: number): Promise<number> {
    if (this.#count === 0) return 0;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onNone.push(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    return this.#count;
  }
}
