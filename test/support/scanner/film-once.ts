interface Shown {
  readonly at: number;
  readonly number: number;
}

/**
 * Waits until a film of so many pictures is over. It begins anew then, and a busy machine may not have shown its last pictures, so it is
 * also over when the numbers of the pictures fall back. Returns when the second showing began: nothing after that is of interest.
 */
export async function untilOver(shown: () => Promise<readonly Shown[]>, pictures: number, ms: number): Promise<number> {
  const last = pictures - 5;
  for (const end = Date.now() + ms; Date.now() < end; ) {
    const seen = await shown();
    const again = seen.find(({ number }, i) => i > 0 && number < seen[i - 1]!.number - pictures / 2);
    if (again !== undefined) return again.at;
    if (seen.some(({ number }) => number >= last)) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The film did not end in time.');
}
