import type { TellUnsaved } from '@turnout/ui';

/** How long leaving a page waits for a form that is being saved, before a dialog asks about it. */
export const PATIENCE_MS = 3000;

/** The forms on the page that hold something that is not saved, and whether they are being saved now. */
export function unsavedForms(): {
  tell: TellUnsaved;
  /** Resolves when no form is being saved any more, or after a while in any case. */
  settled: () => Promise<unknown>;
  isUnsaved: () => boolean;
} {
  const isSaving = new Map<string, boolean>();
  const waiting: (() => void)[] = [];
  const tell: TellUnsaved = (form, changed, saving = false) => {
    if (changed) isSaving.set(form, saving);
    else isSaving.delete(form);
    for (const go of waiting.splice(0)) go();
  };
  const saved = async () => {
    while ([...isSaving.values()].includes(true)) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const late = () => new Promise((over) => setTimeout(over, PATIENCE_MS));
  return { tell, settled: () => Promise.race([saved(), late()]), isUnsaved: () => isSaving.size > 0 };
}
