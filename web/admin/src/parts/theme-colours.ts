import { type RefObject, useEffect, useState } from 'react';

const NAMES = ['accent', 'good', 'warn', 'bad', 'soft', 'line', 'ink'] as const;
type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

/**
 * The theme's colours as a canvas needs them. A custom property says `light-dark(…)`, which a canvas does not understand; an element
 * that uses it knows what it comes to. They are read again when the theme or the organization's colour changes.
 */
export function useThemeColours(box: RefObject<HTMLElement | null>): Colours | null {
  const [colours, setColours] = useState<Colours | null>(null);
  useEffect(() => {
    const read = () => {
      if (box.current === null) return;
      const probe = document.createElement('span');
      // With reduced motion every change of colour takes a millisecond, and what is read at once would be the colour before.
      probe.style.transitionProperty = 'none';
      box.current.append(probe);
      const found = Object.fromEntries(
        NAMES.map((name) => {
          probe.style.color = `var(--${name})`;
          return [name, getComputedStyle(probe).color];
        }),
      ) as unknown as Colours;
      probe.remove();
      setColours((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
    };
    read();
    const media = matchMedia('(prefers-color-scheme: dark)');
    media.addEventListener('change', read);
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'style'] });
    return () => {
      media.removeEventListener('change', read);
      observer.disconnect();
    };
  }, [box]);
  return colours;
}
