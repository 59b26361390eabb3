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
 * The button for the preview among those of an editor, where the screen has no room for both. It stands in for the one at the top,
 * which may be far away.
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
