export function judge(
  output: string,
  installed: number,
): { status: 'wrong' | 'unchecked' | 'checked'; why?: string; wrong?: string[]; unsigned?: string[] };
