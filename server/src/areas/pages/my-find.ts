import { Email } from '@turnout/contract';
import { networkOf } from '../../common/network.ts';
import { Refusal } from '../../common/refusal.ts';
import { html } from '../../outside/mail-templates/markup.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { transaction } from '../../store/tx.ts';
import { textField } from './fields.ts';
import { typedText } from './my-fields.ts';
import { queueLinks } from './my-links.ts';
import { requireTurn } from './my-tickets.ts';
import { noticeOf } from './my-view.ts';
import { requireOwnForm } from './own-form.ts';
import { fieldsOf, type PageHandler, type PageParts } from './parts.ts';
import { hrefOf, type Page, type Site } from './site.ts';

const emailFaults = bodyCheck(Email());
/** How many of these forms one network may send in ten minutes. */
const MAX_FORMS = 20;

/** The form that has links sent again. */
export const showFind =
  ({ layout }: PageParts): PageHandler =>
  async (site, { query }, reply) =>
    layout.send(reply, unframed(site), draw(unframed(site), '', undefined, query.done));

/** The answer is the same for every address. */
export const takeFind =
  (parts: PageParts): PageHandler =>
  async (framed, request, reply) => {
    const { pool, clock, layout } = parts;
    const site = unframed(framed);
    const email = typedText(fieldsOf(request), 'email').trim();
    requireOwnForm(request, parts.publicUrl);
    if (emailFaults(email).length > 0) {
      const rule = email === '' ? 'fault.required' : 'fault.not_email';
      return layout.send(reply, site, draw(site, email, site.words.find('refusals', rule)!, undefined), 422);
    }
    const org = site.organization.org.id;
    try {
      await requireTurn(parts, `links ${org} ${networkOf(request.ip)}`, MAX_FORMS);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reply.headers(error.options.headers ?? {});
      return layout.send(reply, site, draw(site, email, site.words.in('my')('findWait'), undefined), error.status);
    }
    await transaction(pool, clock, { role: 'app', org }, (tx) =>
      queueLinks(tx, { org, event: null, email, language: site.language }),
    );
    parts.wakeMails();
    return reply.redirect(hrefOf(site, '/my', { done: 'sent' }), 303);
  };

const unframed = (site: Site): Site => ({ ...site, embedded: false });

function draw(site: Site, email: string, fault: string | undefined, done: unknown): Page {
  const t = site.words.in('my');
  const title = t('findTitle');
  const notice =
    done === 'sent' ? html`<div class="notice good" role="status"><p>${t('findDone')}</p></div>` : noticeOf(t, done);
  const field = textField(site, {
    name: 'email',
    label: t('email'),
    value: email,
    type: 'email',
    required: true,
    autocomplete: 'email',
    maxlength: 254,
    fault,
  });
  const content = html`<h1>${title}</h1>${notice}<p>${t('findText')}</p><form method="post" action="${hrefOf(site, '/my')}" novalidate>${field}<div class="actions"><button>${t('findSend')}</button></div></form>`;
  return { title, content, noindex: true };
}
