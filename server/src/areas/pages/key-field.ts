import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../outside/mail-templates/markup.ts';

/** The key of a form: however often it is sent, it is done once. */
export const keyField = (): Html => html`<input type="hidden" name="key" value="${randomUUID()}">`;
