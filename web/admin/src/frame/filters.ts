type FilterMap<Names extends string> = {
  [N in Names as N extends `${infer Beginning}*` ? `${Beginning}${string}` : N]?: string;
};

/**
 * Filters in the address: texts under these names, everything else is dropped. A name that ends with `*` stands for all names that
 * begin so (`answer.*`).
 */
export const filters = <Name extends string>(...names: readonly Name[]) => {
  const exact = new Set<string>(names);
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const isOurs = (name: string) => exact.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
  return (search: Record<string, unknown>): FilterMap<Name> => {
    const found: Record<string, string> = {};
    for (const [name, value] of Object.entries(search)) {
      if (!isOurs(name)) continue;
      if (typeof value === 'string' && value !== '' && value.length <= 500) found[name] = value;
      else if (typeof value === 'number' || typeof value === 'boolean') found[name] = String(value);
    }
    return found as FilterMap<Name>;
  };
};
