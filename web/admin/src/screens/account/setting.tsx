import type { ReactNode } from 'react';

/** One thing that is set: what it is, how it stands, and what can be done. */
export function Setting({
  name,
  children,
  actions,
  below,
}: {
  name: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** What belongs to it, over the whole width. */
  below?: ReactNode;
}) {
  return (
    <div className="setting">
      <div className="setting-text">
        <h3>{name}</h3>
        {children !== undefined && <div className="soft">{children}</div>}
      </div>
      {actions !== undefined && actions !== false && <div className="buttons">{actions}</div>}
      {below !== undefined && <div className="setting-below">{below}</div>}
    </div>
  );
}
