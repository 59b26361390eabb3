/** Filters in the address: texts under these names, everything else is dropped. */
export const filters =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): { [N in Name]?: string } => {
    const found: { [N in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '' && value.length <= 500) found[name] = value;
      else if (typeof value === 'number' || typeof value === 'boolean') found[name] = String(value);
    }
    return found;
  };
