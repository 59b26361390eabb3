/** Processor time of this thread, so other work on the machine does not count. */
function milliseconds(work: () => unknown): number {
  const began = process.threadCpuUsage();
  work();
  return since(began);
}

const since = (began: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
};

const PARTS = 8;
/** Work that takes less than this is never called slow: so short a time says nothing about how it grows. */
const UNSUSPICIOUS_MS = 10;

/**
 * Whether the work grows faster than its input: a whole input is compared with eight parts of it, one after the other. For linear
 * work both take the same time; for quadratic work the whole takes eight times as long. The limit is three. Both are measured in
 * turns and make as much garbage, so a slow machine changes nothing, and the best of five runs counts, so neither does a busy one.
 * test/regexes.test.ts shows that quadratic work is found.
 */
export function growsFasterThanInput(work: (size: number) => unknown, size: number): boolean {
  let whole = Number.POSITIVE_INFINITY;
  let parts = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run += 1) {
    const inParts = () => {
      for (let part = 0; part < PARTS; part += 1) work(Math.floor(size / PARTS));
    };
    whole = Math.min(
      whole,
      milliseconds(() => work(size)),
    );
    // The best run counts, so the others can change nothing any more.
    if (whole <= UNSUSPICIOUS_MS) return false;
    parts = Math.min(parts, milliseconds(inParts));
  }
  return whole > 3 * parts;
}

/** The same for work that waits in between, such as a request to a server in this process. */
export async function requestGrowsFasterThanInput(
  work: (size: number) => Promise<unknown>,
  size: number,
): Promise<boolean> {
  let whole = Number.POSITIVE_INFINITY;
  let parts = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run += 1) {
    const began = process.threadCpuUsage();
    await work(size);
    whole = Math.min(whole, since(began));
    if (whole <= UNSUSPICIOUS_MS) return false;
    const inParts = process.threadCpuUsage();
    for (let part = 0; part < PARTS; part += 1) await work(Math.floor(size / PARTS));
    parts = Math.min(parts, since(inParts));
    // So far from the limit, the other runs would not change it.
    if (whole <= parts) return false;
  }
  return whole > 3 * parts;
}
