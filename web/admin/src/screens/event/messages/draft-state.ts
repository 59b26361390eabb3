/** What is said beside the buttons about the draft: nothing while it will be saved by itself in a moment. */
export function draftState(draft: {
  busy: boolean;
  changed: boolean;
  complete: boolean;
  saved: { id: string | null };
}): 'saving' | 'notSaved' | 'savedDraft' | null {
  if (draft.busy) return 'saving';
  if (draft.changed) return draft.complete ? null : 'notSaved';
  return draft.saved.id === null ? null : 'savedDraft';
}
