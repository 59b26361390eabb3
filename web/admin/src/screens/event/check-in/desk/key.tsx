/** The key that does the same as the button it stands on. Screen readers are told by `aria-keyshortcuts` of the button. */
export const Key = ({ name }: { name: string }) => (
  <span className="key" aria-hidden="true">
    {name}
  </span>
);
