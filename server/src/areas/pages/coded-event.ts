import type { Refusal } from '../../common/refusal.ts';
import { checkCode, networkKey } from './codes.ts';
import type { PageParts, PageRequest } from './parts.ts';
import { type ShownEvent, withDiscount } from './shown.ts';
import type { Site } from './site.ts';

/** An event as it is for whoever has a code. */
export interface CodedEvent {
  shown: ShownEvent;
  /** Why the code is not taken, in the language of the page. Null if it is, or if there is none. */
  refused: { text: string; status: number; headers: Record<string, string> } | null;
}

/** Looks a code up, and shows what it reveals. */
export async function applyCode(
  parts: PageParts,
  site: Site,
  shown: ShownEvent,
  request: PageRequest,
  code: string,
): Promise<CodedEvent> {
  if (code === '') return { shown, refused: null };
  const { organization } = site;
  const guess = {
    org: organization.org.id,
    event: shown.event.id,
    network: networkKey(parts, shown.event.id, request),
    code,
  };
  const checked = await checkCode(parts, guess);
  if ('discount' in checked)
    return { shown: await withDiscount(parts, organization, shown, checked.discount), refused: null };
  const { refusal } = checked;
  const headers = refusal.options.headers ?? {};
  return { shown, refused: { text: textOf(site, refusal), status: refusal.status, headers } };
}

function textOf({ t, words }: Site, { code, message, options }: Refusal): string {
  if (code !== 'rate_limited') return words.find('refusals', code) ?? message;
  return t('tooManyCodes', { count: Math.ceil(Number(options.headers?.['Retry-After']) / 60) });
}

const ABOUT_CODES = ['discount_unknown', 'discount_not_applicable', 'discount_used_up'];
export const isAboutCode = ({ code }: Refusal): boolean => ABOUT_CODES.includes(code);
