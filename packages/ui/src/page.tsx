import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import './css/layout.css';

/** The heading names the page; the browser's title says the same. It gets the focus when the page opens. */
export function Heading({ children, title }: { children: ReactNode; title?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title ?? heading.current?.textContent ?? ''} · Turnout`;
  });
  useLayoutEffect(() => {
    // A field that has the focus keeps it, and one with autofocus takes it right after.
    const active = document.activeElement;
    if (active === null || active === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

/** Inside something that has a name of its own, such as an event, the heading of a page is a quiet line beside what can be done. */
export const QuietPages = createContext(false);

/**
 * The layout of every screen inside the shell: what it is, what can be done with it as a whole, the screens beside it or the parts of what
 * it lists (`tabs`), and its content.
 */
export function Page({
  title,
  lead,
  crumb,
  actions,
  tabs,
  narrow,
  children,
}: {
  title: string;
  lead?: ReactNode;
  crumb?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  narrow?: boolean;
  children?: ReactNode;
}) {
  const quiet = useContext(QuietPages);
  return (
    <div className="page" data-narrow={narrow || undefined} data-quiet={quiet || undefined}>
      <header className="page-head">
        <div>
          {crumb !== undefined && <div className="crumb">{crumb}</div>}
          <Heading>{title}</Heading>
          {lead !== undefined && <p className="soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {tabs}
      {children}
    </div>
  );
}

/** A part of a page, under a thin rule. */
export function Section({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="section" aria-label={title}>
      <header className="section-head">
        <div>
          <h2>{title}</h2>
          {lead !== undefined && <p className="soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="buttons">{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** A page without the shell: signing in and what is around it. */
export function PlainPage({
  title,
  lead,
  wide,
  footer,
  children,
}: {
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  footer?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="plain">
      <main data-wide={wide || undefined}>
        <span className="brand">
          <Mark name="Turnout" /> Turnout
        </span>
        <header className="stack" data-gap="small">
          <Heading>{title}</Heading>
          {lead !== undefined && <p className="lead">{lead}</p>}
        </header>
        {children}
      </main>
      <footer>{footer}</footer>
    </div>
  );
}

/** The first letter of a name, in place of a picture. */
export const Mark = ({ name, round }: { name: string; round?: boolean }) => (
  <span className="mark" data-round={round || undefined} aria-hidden="true">
    {[...name][0]?.toLocaleUpperCase()}
  </span>
);

/** Says what belongs here and offers the first step. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Links to parts of a screen, each with its own address. The router marks the present one with `aria-current`. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const shown = useRef<Element | null>(null);
  // On a narrow screen the row scrolls sideways; the present one must not lie outside of it.
  useEffect(() => {
    const here = row.current?.querySelector<HTMLElement>('[aria-current]') ?? null;
    if (here === null || here === shown.current) return;
    shown.current = here;
    const [outer, inner] = [row.current!.getBoundingClientRect(), here.getBoundingClientRect()];
    if (inner.right > outer.right || inner.left < outer.left)
      row.current!.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  });
  return (
    <nav className="tabs" aria-label={label} ref={row}>
      {children}
    </nav>
  );
}

/** Names and values, such as the facts of a key. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
