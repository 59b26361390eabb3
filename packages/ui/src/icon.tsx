import type { ReactElement, ReactNode } from 'react';

export type Icon = () => ReactElement;

/** Lines on a grid of 16. They say nothing by themselves, so screen readers skip them: whatever they stand on needs a name. */
export const icon =
  (children: ReactNode): Icon =>
  () => (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
