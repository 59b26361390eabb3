/** What is kept of an import that is being prepared, in the storage of the tab: the text of its file, and what was decided about it. */
export interface StoredDraft {
  text: string;
  name: string;
  mapping: Record<string, string>;
  dateOrder: string;
  emails: boolean;
  preview: string | null;
  fixes: Record<string, readonly string[]>;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/**
 * The draft in a stored text. Null if there is none, or if it is none of format 1, the only one so far, which has no number: a later
 * version of the app may have left it. Then the file is asked for again.
 */
export function storedDraft(stored: string | null): StoredDraft | null {
  let draft: unknown;
  try {
    draft = JSON.parse(stored ?? 'null');
  } catch {
    return null;
  }
  if (!isObject(draft) || (draft.format ?? 1) !== 1) return null;
  const { text, name, mapping, dateOrder, emails, preview, fixes } = draft;
  const isDraft =
    [text, name, dateOrder].every(isText) &&
    typeof emails === 'boolean' &&
    (preview === null || isText(preview)) &&
    isObject(mapping) &&
    Object.values(mapping).every(isText) &&
    isObject(fixes) &&
    Object.values(fixes).every(areTexts);
  return isDraft ? ({ text, name, mapping, dateOrder, emails, preview, fixes } as StoredDraft) : null;
}
