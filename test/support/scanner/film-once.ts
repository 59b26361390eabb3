interface Shown {
  readonly at: number;
  readonly number: number;
}

/**
 * A film begins anew when it is over. Returns when the second showing began, where the numbers of the pictures fall back: nothing from
 * then on is of interest. If it has not begun, that is never.
 */
export function secondShowing(shown: readonly Shown[], pictures: number): number {
  const again = shown.find(({ number }, i) => i > 0 && number < shown[i - 1]!.number - pictures / 2);
  return again?.at ?? Number.POSITIVE_INFINITY;
}

/** Waits until a film of so many pictures is over. A busy machine may not show its last pictures; then it is over when it begins anew. */
export async function untilOver(shown: () => Promise<readonly Shown[]>, pictures: number, ms: number): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const seen = await shown();
    if (seen.some(({ number }) => number >= pictures - 5) || secondShowing(seen, pictures) < Infinity) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The film did not end in time.');
}
