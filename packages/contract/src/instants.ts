/**
 * Orders two instants as the API writes them, the earlier one first. They have as many decimals as they need, so they must not be
 * compared as they stand: `05.12Z` is earlier than `05.125Z`, and "Z" comes after all digits.
 */
export function compareInstants(a: string, b: string): number {
  const [first, second] = [a.slice(0, -1), b.slice(0, -1)];
  return first < second ? -1 : first > second ? 1 : 0;
}
