const best = (work: () => unknown): number =>
  Math.min(
    ...[1, 2, 3, 4, 5].map(() => {
      const began = performance.now();
      work();
      return performance.now() - began;
    }),
  );

/** Work that takes less than this is never called slow: so short a time says nothing about how it grows. */
const UNSUSPICIOUS_MS = 10;

/**
 * Whether the work grows faster than its input. For four times the input, linear work takes four times as long and quadratic work
 * sixteen times; the limit is eight. Both sizes are measured on the same machine in the same moment, so a slow machine changes
 * nothing, and the best of five runs counts, so neither does a busy one. test/regexes.test.ts shows that quadratic work is found.
 */
export function growsFasterThanInput(work: (size: number) => unknown, size: number): boolean {
  const longer = best(() => work(4 * size));
  return longer > UNSUSPICIOUS_MS && longer > 8 * best(() => work(size));
}
