import { Button, EyeIcon, useWords } from '@turnout/ui';
import { createContext, useContext } from 'react';

/** Opens the preview of the form. Null where there is none. */
export const PeekContext = createContext<(() => void) | null>(null);

export function ShowPreview({ show }: { show: () => void }) {
  const t = useWords('form');
  return (
    <Button onClick={show}>
      <EyeIcon /> {t('showPreview')}
    </Button>
  );
}

/**
 * The button for the preview among those of an editor, where the screen has no room for both. The one that floats above the page
 * gives way to it, because it would cover the buttons of the editor.
 */
export function Peek() {
  const show = useContext(PeekContext);
  if (show === null) return null;
  return (
    <div className="form-peek">
      <ShowPreview show={show} />
    </div>
  );
}
