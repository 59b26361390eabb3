import type { Translate } from '@turnout/words';

/** What is said beside the buttons about the draft: nothing while it will be saved by itself in a moment. */
export function draftState(
  draft: { busy: boolean; changed: boolean; complete: boolean; saved: { id: string | null } },
  t: Translate<'messages'>,
): string | null {
  if (draft.busy) return t('saving');
  if (draft.changed) return draft.complete ? null : t('notSaved');
  return draft.saved.id === null ? null : t('savedDraft');
}
