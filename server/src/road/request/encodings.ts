/** The encodings that a client takes: `br;q=0` says that it does not take it. */
export function encodings(header: string | string[] | undefined): Set<string> {
  const parts = String(header ?? '').split(',');
  return new Set(parts.filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part)).map((part) => part.split(';', 1)[0]!.trim()));
}
