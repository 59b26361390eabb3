/** Text as programs see it. It scrolls inside, also by keyboard. */
export const Code = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it can scroll by keyboard
  <figure className="code" tabIndex={0} aria-label={label}>
    <pre>{children}</pre>
  </figure>
);
