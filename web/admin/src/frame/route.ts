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
