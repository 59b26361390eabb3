import { type AnyRoute, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queries } from './api.ts';
import { sectionsFor } from './event-sections.ts';
import { useOrganization } from './organization.tsx';

/** Those that are loaded stay loaded, whichever event is opened next. */
const loaded = new Set<string>();

/**
 * While somebody looks at the first screen of an event and the page has nothing else to do, the first screen of each section is loaded,
 * with its words but without its data. Loading the files of People took 60 to 200 ms after the press, on a processor slowed four times.
 */
export function useSectionsAhead(): void {
  const { may } = useOrganization();
  const router = useRouter();
  useEffect(() => {
    if (!('requestIdleCallback' in window) || savesData()) return;
    const left = sectionsFor(may)
      .map(({ screens }) => screens[0]!.to)
      .filter((to) => !loaded.has(to));
    let timer = 0;
    const next = () => {
      timer = requestIdleCallback(async () => {
        if (queries.isFetching() > 0) return next();
        const to = left.shift();
        if (to === undefined) return;
        const route: AnyRoute | undefined = router.routesByPath[to];
        const { component, loader } = (route?.options ?? {}) as Partial<ScreenOptions>;
        try {
          await Promise.all([component?.preload?.(), loader?.()]);
          loaded.add(to);
        } catch {
          // It is loaded when somebody goes there, and then they are told what is in the way.
        }
        if (timer !== 0) next();
      });
    };
    next();
    return () => {
      cancelIdleCallback(timer);
      timer = 0;
    };
  }, [may, router]);
}

/** As `screen` makes them (`route.ts`). */
interface ScreenOptions {
  component: { preload?: () => Promise<void> };
  loader: () => Promise<void>;
}

/** Some pay for every megabyte, and have told their browser. */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
