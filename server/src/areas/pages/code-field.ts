import { Html, html } from '../../outside/mail-templates/markup.ts';
import { described, notes } from './fields.ts';
import type { ShownEvent } from './shown.ts';
import type { Site } from './site.ts';

interface TypedCode {
  /** As it was typed. */
  code: string;
  fault: string | undefined;
  /** Where the button leads that applies the code; left out in a form that does so itself. */
  action?: string;
}

/** What an address says of the code. */
export const codeQuery = (code: string): Record<string, string> => (code === '' ? {} : { code });

/** Asks for a code where the event has any, folded until there is something to see. */
export function codeField(site: Site, { hasCodes, discount }: ShownEvent, { code, fault, action }: TypedCode): Html {
  const { t } = site;
  if (!hasCodes && code === '') return html``;
  const applied =
    discount === null ? '' : html`<p class="applied" role="status">${t('codeApplied', { name: discount.name })}</p>`;
  const open = code === '' ? html`` : new Html(' open');
  const does = action === undefined ? html` name="do" value="code"` : html` formaction="${action}"`;
  return html`<details class="field have-code"${open}><summary>${t('haveCode')}</summary><label for="code">${t('code')}</label><div class="with-button"><input id="code" name="code" value="${code}" maxlength="80" autocomplete="off" autocapitalize="characters" spellcheck="false"${described('code', { fault })}><button class="quiet"${does} formnovalidate>${t('applyCode')}</button></div>${notes('code', { fault })}${applied}</details>`;
}
