import type { ReactNode } from 'react';

/** What a change means for those who are registered already; said only once somebody is about to make it. */
export const ChangeWarning = ({ when, children }: { when: boolean; children: ReactNode }) => (
  <div role="status">{when && <p className="mind">{children}</p>}</div>
);
