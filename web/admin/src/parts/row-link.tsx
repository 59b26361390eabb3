import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useMemo } from 'react';

/** Where the rows of a table lead to. */
export interface RowLinks {
  href: (id: string) => string;
  open: (event: MouseEvent, id: string) => void;
  near: () => void;
}

const PLACE = '0ROW0';

/**
 * The addresses of rows: `useRowLinks((attendee) => linkOptions({ to: '…/$attendee', params: { ...base, attendee } }), [base])`. The
 * router builds one of them, and the others differ from it only by the id. Its own `<Link>` would build each by itself, again with
 * every change of the address, which takes longer than drawing the rest of the row. The id must be a part of the path.
 */
export function useRowLinks(optionsOf: (id: string) => object, on: readonly unknown[]): RowLinks {
  const router = useRouter();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what its options depend on
  return useMemo(() => {
    const options = (id: string) => optionsOf(id) as Parameters<typeof router.navigate>[0];
    const address = router.history.createHref(router.buildLocation(options(PLACE) as never).publicHref);
    const at = address.indexOf(`/${PLACE}`) + 1;
    const [before, after] = [address.slice(0, at), address.slice(at + PLACE.length)];
    let loaded = false;
    return {
      href: (id) => `${before}${encodeURIComponent(id)}${after}`,
      open: (event, id) => {
        const { altKey, ctrlKey, metaKey, shiftKey, button, defaultPrevented } = event;
        // With one of these keys the browser opens another tab or window.
        if (altKey || ctrlKey || metaKey || shiftKey || button !== 0 || defaultPrevented) return;
        event.preventDefault();
        void router.navigate(options(id));
      },
      // All rows lead to the same screen, which is loaded when somebody reaches for the first.
      near: () => {
        if (loaded) return;
        loaded = true;
        router.preloadRoute(options(PLACE) as never).catch(() => {
          loaded = false;
        });
      },
    };
  }, [router, ...on]);
}

/** The link of a row, for its first cell. */
export function RowLink({ to, id, children }: { to: RowLinks; id: string; children: ReactNode }) {
  return (
    <a
      className="row-link"
      href={to.href(id)}
      onClick={(event) => to.open(event, id)}
      onMouseEnter={to.near}
      onFocus={to.near}
      onTouchStart={to.near}
    >
      {children}
    </a>
  );
}
