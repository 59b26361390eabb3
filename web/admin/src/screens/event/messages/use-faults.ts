import type { Problem } from '@turnout/client';
import { useAllWords } from '@turnout/ui';

/** What the server found wrong with a field, in words. */
export function useFaults(problem: Problem | null): (field: string) => string | undefined {
  const words = useAllWords();
  return (field) => {
    const detail = problem?.details.find(({ path }) => path === field || path.startsWith(`${field}/`));
    if (detail === undefined) return undefined;
    const known =
      detail.rule === undefined ? null : words.find('refusals', `fault.${detail.rule}`, { count: detail.limit ?? 0 });
    return known ?? detail.message;
  };
}
