import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/**
 * A part of a screen whose file is loaded after the screen. `load` is called when the screen has time; from then on the part is drawn at
 * once. (React shows a lazy component that is loaded already only after its fallback, which stays for up to 300 ms: too long for
 * somebody who types on.)
 */
export function later<P extends object>(
  loadComponent: () => Promise<ComponentType<P>>,
  fallback: ReactNode = null,
): { Part: (props: P) => ReactNode; load: () => Promise<unknown> } {
  let loaded: ComponentType<P> | undefined;
  const load = async () => {
    loaded ??= await loadComponent();
    return { default: loaded };
  };
  const Lazy = lazy(load) as unknown as ComponentType<P>;
  function Part(props: P) {
    // What it began as it stays, or what was typed in it would be gone.
    const [Component] = useState(() => loaded ?? Lazy);
    return (
      <Suspense fallback={fallback}>
        <Component {...props} />
      </Suspense>
    );
  }
  return { Part, load };
}
