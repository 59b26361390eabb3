import { lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '@turnout/words';
import type { ComponentType } from 'react';
import { words } from './words.ts';

interface Screen {
  component: ReturnType<typeof lazyRouteComponent>;
  loader: () => Promise<void>;
}

/** A screen with its catalogues. Its file is loaded when somebody goes there, and both at the same time. */
export const screen = (areas: readonly Area[], load: () => Promise<{ default: ComponentType }>): Screen => ({
  component: lazyRouteComponent(load),
  loader: async () => {
    await words.need(...areas);
  },
});

type Named<Names extends string> = {
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
  return (search: Record<string, unknown>): Named<Name> => {
    const found: Record<string, string> = {};
    for (const [name, value] of Object.entries(search)) {
      if (!isOurs(name)) continue;
      if (typeof value === 'string' && value !== '' && value.length <= 500) found[name] = value;
      else if (typeof value === 'number' || typeof value === 'boolean') found[name] = String(value);
    }
    return found as Named<Name>;
  };
};
