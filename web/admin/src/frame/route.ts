import { lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '@turnout/words';
import type { ComponentType } from 'react';
import { words } from './words.ts';

export { filters } from './filters.ts';

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
