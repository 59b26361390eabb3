import { newsTexts } from '@turnout/words/mails';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { cleanLine } from '../../outside/clean.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import type { Links } from '../../road/for-areas/links.ts';
import { Fields, SMALL_FORM, takeForms } from '../../road/request/form-body.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { subscribeAgain, type Unsubscribes, unsubscribe, whoOpens } from './unsubscribe.ts';

/** The name of the button that subscribes again. */
const AGAIN = 'again';

/** A page about an organization, which is written in the reader's language. */
interface Page {
  org: Id;
  language: string;
  write: (language: string) => { title: string; content: Html };
}

interface UnsubscribeParts {
  pool: Pool;
  clock: Clock;
  links: Links;
  /** Draws a page in the organization's look; null if the organization was deleted. */
  draw: (request: FastifyRequest, reply: FastifyReply, page: Page) => Promise<FastifyReply | null>;
  /** Says what went wrong, in a page of no organization. */
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/**
 * The page behind the link at the end of news. A GET changes nothing, because programs that scan mails follow every link. The
 * page's button POSTs, and so does the button that mail programs offer (RFC 8058).
 */
export function unsubscribePage(app: FastifyInstance, { pool, clock, links, draw, fail }: UnsubscribeParts): void {
  app.register(async (page) => {
    takeForms(page, SMALL_FORM);
    // Mail programs may send their button as a form of another type. What is in it does not matter.
    page.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined);
    page.setErrorHandler(fail);
    page.route<{ Params: { token: string } }>({
      method: ['GET', 'POST'],
      url: '/links/unsubscribe/:token',
      handler: async (request, reply) => {
        const opens = links.open('unsubscribe', request.params.token);
        const who = opens && whoOpens(opens);
        const shown =
          who &&
          (await transaction(
            pool,
            clock,
            { role: 'app', org: who.org },
            async (tx) => {
              if (request.method === 'POST') await change(tx, who, request);
              return pageOf(tx, who, request.method);
            },
            { readOnly: request.method === 'GET' },
          ));
        return (shown && (await draw(request, reply, shown))) ?? refuse('not_found');
      },
    });
  });
}

const change = (tx: Tx, recipient: Unsubscribes, { id, body }: FastifyRequest): Promise<void> => {
  const again = body instanceof Fields && body.has(AGAIN);
  return (again ? subscribeAgain : unsubscribe)(tx, recipient, id);
};

/** The page for the current state of the address; null if the organization was deleted. */
async function pageOf(tx: Tx, recipient: Unsubscribes, method: string): Promise<Page | null> {
  const place = await tx.maybe<{ name: string; language: string; unsubscribed: boolean }>(sql`
    select o.name, coalesce(e.language, o.language) as language,
      exists (select from unsubscribed u where u.org_id = o.id and u.address = ${recipient.address}) as unsubscribed
    from organizations o left join events e on e.org_id = o.id and e.id = ${recipient.event} where o.id = ${recipient.org}`);
  if (place === null) return null;
  const name = cleanLine(place.name);
  const write = (language: string) => {
    const { t } = newsTexts(language);
    if (place.unsubscribed) return titled(t('done', { organization: name }), button(t('again'), AGAIN));
    return method === 'POST'
      ? titled(t('welcome', { organization: name }), button(t('unsubscribe')))
      : titled(t('ask', { organization: name }), html`<p>${t('explain')}</p>${button(t('unsubscribe'))}`);
  };
  return { org: recipient.org, language: place.language, write };
}

const titled = (title: string, content: Html) => ({ title, content: html`<h1>${title}</h1>${content}` });

const button = (label: string, name = ''): Html =>
  html`<form class="actions" method="post"><button name="${name}" value="1">${label}</button></form>`;
