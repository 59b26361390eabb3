import type { Fault } from '../../common/refusal.ts';
import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { Site } from './site.ts';

/** The fields of forms. Each has a label, and says beside itself what is wrong with it. */

/** What is wrong with a field, in the language of the page. */
export function faultText({ words }: Pick<Site, 'words'>, { message, rule, limit }: Fault): string {
  const known =
    rule === undefined ? null : words.find('refusals', `fault.${rule}`, limit === undefined ? {} : { count: limit });
  return known ?? message.slice(0, 1).toUpperCase() + message.slice(1);
}

export interface Field {
  name: string;
  label: string;
  value: string;
  fault?: string | undefined;
  hint?: string;
  required?: boolean;
  /** The attribute `type` of the input; `textarea` for a text of several lines. */
  type?: 'text' | 'email' | 'tel' | 'number' | 'date' | 'textarea';
  autocomplete?: string;
  maxlength?: number;
}

export const attribute = (name: string, value: string | number | undefined): Html =>
  value === undefined ? html`` : html` ${new Html(name)}="${value}"`;
export const flag = (name: string, set: boolean | undefined): Html => (set === true ? new Html(` ${name}`) : html``);

/** Says which texts describe a field, and whether it is wrong. */
export const described = (id: string, { fault, hint }: Pick<Field, 'fault' | 'hint'>): Html => {
  const by = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`]
    .filter(Boolean)
    .join(' ');
  return html`${by === '' ? '' : attribute('aria-describedby', by)}${fault === undefined ? '' : attribute('aria-invalid', 'true')}`;
};

export const notes = (id: string, { fault, hint }: Pick<Field, 'fault' | 'hint'>): Html =>
  html`${hint === undefined ? '' : html`<span class="hint" id="${id}-hint">${hint}</span>`}${fault === undefined ? '' : html`<span class="fault" id="${id}-fault">${fault}</span>`}`;

export function textField(site: Site, field: Field): Html {
  const { name, label, value, required, type = 'text', autocomplete, maxlength } = field;
  const common = html` id="${name}" name="${name}"${attribute('autocomplete', autocomplete)}${attribute('maxlength', maxlength)}${flag('required', required)}${described(name, field)}`;
  const input =
    type === 'textarea'
      ? html`<textarea${common}>\n${value}</textarea>` // a browser drops the first line break
      : html`<input type="${type === 'number' ? 'text' : type}"${type === 'number' ? new Html(' inputmode="decimal"') : ''}${common} value="${value}">`;
  return html`<div class="field"><label for="${name}">${label}${optional(site, required)}</label>${input}${notes(name, field)}</div>`;
}

const optional = (site: Site, required: boolean | undefined): Html =>
  required === true ? html`` : html` <span class="soft small">(${site.t('optional')})</span>`;

export interface Choice extends Omit<Field, 'value' | 'type' | 'autocomplete' | 'maxlength'> {
  options: readonly { value: string; label: string; note?: Html }[];
  chosen: readonly string[];
  many: boolean;
}

/**
 * Some of several, as boxes to tick; or one of them. If one is chosen of many, or may be left out again, it is a list: a button that was
 * chosen cannot be taken back.
 */
export function choiceField(site: Site, field: Choice): Html {
  const { name, label, required, options, chosen, many } = field;
  if (!many && (options.length > 6 || required !== true)) return listField(site, field);
  const input = many ? 'checkbox' : 'radio';
  const rows = options.map(
    ({ value, label: text, note }, i) =>
      html`<label class="choice"><input type="${input}" name="${name}" value="${value}"${i === 0 ? attribute('id', name) : ''}${flag('checked', chosen.includes(value))}${flag('required', required === true && !many)}><span dir="auto">${text}${note === undefined ? '' : html` ${note}`}</span></label>`,
  );
  return html`<fieldset class="field"${described(name, field)}><legend>${label}${optional(site, required)}</legend>${notes(name, field)}${join(rows)}</fieldset>`;
}

function listField(site: Site, field: Choice): Html {
  const { name, label, required, options, chosen } = field;
  const rows = [{ value: '', label: '–' }, ...options].map(
    ({ value, label: text }) =>
      html`<option value="${value}"${flag('selected', chosen.includes(value))}>${text}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}${optional(site, required)}</label><select id="${name}" name="${name}"${flag('required', required)}${described(name, field)}>${join(rows)}</select>${notes(name, field)}</div>`;
}

export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** Everything that is wrong with a form, above it, with a link to each field. */
export function faultList(title: string, faults: readonly { name: string; label: string; text: string }[]): Html {
  const rows = faults.map(({ name, label, text }) => html`<li><a href="#${name}">${label}</a>: ${text}</li>`);
  return html`<div class="notice bad" role="alert" tabindex="-1" id="faults"><p><b>${title}</b></p>${rows.length === 0 ? '' : html`<ul>${join(rows)}</ul>`}</div>`;
}
