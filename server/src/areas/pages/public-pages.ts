import type { FastifyInstance, FastifyReply } from 'fastify';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { calendarOf } from '../../outside/calendar.ts';
import { findOrganization, type PublicOrganization } from '../../road/for-areas/visitors.ts';
import { applyCode } from './coded-event.ts';
import { codeIn } from './draft.ts';
import { afterOf, listPage, listShown } from './event-list.ts';
import { eventPage } from './event-page.ts';
import { PageMemory, type Ready, ready, sendReady } from './memory.ts';
import type { PageParts, PageRequest } from './parts.ts';
import { eventJson, JSON_HEADERS, publicEvents } from './public-json.ts';
import { previewOf, type ShownEvent, shownTo, shownToAll } from './shown.ts';
import { type Page, placeOf, type Site, siteOf } from './site.ts';
import { wantedLanguage } from './words.ts';

type Handler = (request: PageRequest, reply: FastifyReply) => Promise<unknown>;

/** The pages and documents that look the same to everybody: the list of events, and each event. */
export function publicPages(pages: FastifyInstance, parts: PageParts): void {
  const memory = new PageMemory(parts.clock);
  const at = (url: string, handler: Handler): void => {
    pages.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => handler(request as PageRequest, reply) });
  };

  at('/o/:org', listOf(parts, memory));
  at('/o/:org/', listOf(parts, memory));
  at('/o/:org/events.json', async (request, reply) => {
    const after = afterOf(request.query.after);
    const key = `events.json ${nameOf(request)} ${after === null ? '' : `${after.begins_at} ${after.id}`}`;
    const found = await memory.get(key, () =>
      withOrganization(parts, request, async (organization) => {
        const listed = await listShown(parts, organization, after);
        return ready(JSON.stringify(publicEvents(organization, listed, parts.links)), JSON_HEADERS);
      }),
    );
    return sendReady(request, reply, found ?? refuse('not_found'));
  });
  for (const url of ['/o/:org/events.json', '/o/:org/:event']) {
    pages.options(url, async (_request, reply) =>
      reply
        .headers({
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
          'Access-Control-Allow-Headers': 'If-None-Match',
          'Access-Control-Max-Age': '86400',
        })
        .code(204)
        .send(),
    );
  }
  at('/o/:org/:event', async (request, reply) => {
    const { event } = request.params as { event: string };
    return event.endsWith('.json')
      ? eventDocument(parts, memory, request, reply, event.slice(0, -'.json'.length))
      : eventOf(parts, memory, request, reply, event);
  });
  at('/o/:org/:event/calendar.ics', async (request, reply) => {
    const organization = (await findOrganization(parts.pool, request.params.org!)) ?? refuse('not_found');
    const shown = (await shownTo(parts, organization, request, request.params.event!)) ?? refuse('not_found');
    return sendCalendar(parts, reply, shown);
  });
  at('/o/:org/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /my\nDisallow: /o/*/my\n'),
  );
  at('/o/:org/favicon.ico', async (_request, reply) => reply.code(204).header('Cache-Control', 'max-age=86400').send());
}

/** The organization as it was named, in lower case: codes ignore case. */
const nameOf = ({ params }: PageRequest): string => String(params.org).toLowerCase();

const withOrganization = async <T>(
  { pool }: PageParts,
  request: PageRequest,
  work: (organization: PublicOrganization) => Promise<T | null>,
): Promise<T | null> => {
  const organization = await findOrganization(pool, request.params.org!);
  return organization === null ? null : work(organization);
};

/** What a page depends on besides its address: the language, the frame and the host. */
function viewOf(request: PageRequest): string {
  const { lang, embed } = request.query;
  const wanted = wantedLanguage(lang, request.headers['accept-language']) ?? '';
  return `${wanted} ${lang === wanted} ${embed === '1'} ${placeOf(request).base}`;
}

async function draw({ layout }: PageParts, site: Site, page: Page, isPreview = false): Promise<Ready> {
  const { body, headers } = await layout.draw(site, page);
  return ready(body, { ...headers, 'Cache-Control': isPreview ? 'no-store' : 'no-cache' });
}

const listOf =
  (parts: PageParts, memory: PageMemory): Handler =>
  async (request, reply) => {
    const after = afterOf(request.query.after);
    const key = `list ${nameOf(request)} ${viewOf(request)} ${after === null ? '' : `${after.begins_at} ${after.id}`}`;
    const found = await memory.get(key, () =>
      withOrganization(parts, request, async (organization) => {
        const site = await siteOf(request, organization);
        return draw(parts, site, listPage(site, await listShown(parts, organization, after), after));
      }),
    );
    return sendReady(request, reply, found ?? refuse('not_found'));
  };

async function eventOf(
  parts: PageParts,
  memory: PageMemory,
  request: PageRequest,
  reply: FastifyReply,
  ref: string,
): Promise<unknown> {
  const drawn = async (organization: PublicOrganization, shown: ShownEvent): Promise<Ready> => {
    const site = await siteOf(request, organization, shown.event.language);
    return draw(parts, site, eventPage(site, shown, parts.links), shown.preview);
  };
  const key = `event ${nameOf(request)} ${ref.toLowerCase()} ${viewOf(request)}`;
  const code = codeIn(request.query);
  if (code !== '') return codedEventOf(parts, memory, request, reply, { ref, code, key });
  const found = await memory.get(key, () =>
    withOrganization(parts, request, async (organization) => {
      const shown = await shownToAll(parts, organization, ref);
      return shown === null ? null : drawn(organization, shown);
    }),
  );
  if (found !== null) return sendReady(request, reply, found);
  const preview = await withOrganization(parts, request, async (organization) => {
    const shown = await previewOf(parts, organization, request, ref);
    return shown === null ? null : drawn(organization, shown);
  });
  return sendReady(request, reply, preview ?? refuse('not_found'));
}

/** The page for whoever has a code. What it looks like with a code that holds is the same for everybody who has it. */
async function codedEventOf(
  parts: PageParts,
  memory: PageMemory,
  request: PageRequest,
  reply: FastifyReply,
  { ref, code, key }: { ref: string; code: string; key: string },
): Promise<unknown> {
  const organization = (await findOrganization(parts.pool, request.params.org!)) ?? refuse('not_found');
  const plain = (await shownTo(parts, organization, request, ref)) ?? refuse('not_found');
  const site = await siteOf(request, organization, plain.event.language);
  const { shown, refused } = await applyCode(parts, site, plain, request, code);
  const given = { code: shown.discount?.code ?? code, fault: refused?.text, counts: request.query };
  const page = () => eventPage(site, shown, parts.links, given);
  const isSame =
    refused === null && !shown.preview && Object.keys(request.query).every((name) => !name.startsWith('n-'));
  if (isSame) {
    const drawn = await memory.get(`${key} ${shown.discount!.id}`, () => draw(parts, site, page()));
    return sendReady(request, reply, drawn!);
  }
  reply.headers(refused?.headers ?? {});
  // A link with an old code still leads to the event.
  return parts.layout.send(reply, site, page(), refused?.status === 429 ? 429 : 200);
}

async function eventDocument(
  parts: PageParts,
  memory: PageMemory,
  request: PageRequest,
  reply: FastifyReply,
  ref: string,
): Promise<unknown> {
  const found = await memory.get(`event.json ${nameOf(request)} ${ref.toLowerCase()}`, () =>
    withOrganization(parts, request, async (organization) => {
      const shown = await shownToAll(parts, organization, ref);
      if (shown === null) return null;
      const robots = shown.event.listed ? {} : { 'X-Robots-Tag': 'noindex' };
      return ready(JSON.stringify(eventJson(shown, parts.links)), { ...JSON_HEADERS, ...robots });
    }),
  );
  return sendReady(request, reply, found ?? refuse('not_found'));
}

/** The event for a calendar, with its own days and without anybody's registration. */
function sendCalendar({ clock, links }: PageParts, reply: FastifyReply, { event }: ShownEvent): FastifyReply {
  if (event.starts_at === null) return refuse('not_found');
  const appointment = {
    uid: `${toUlid(event.id)}@turnout`,
    start: event.starts_at,
    end: event.ends_at ?? event.starts_at,
    summary: event.name,
    location: event.venue,
    description: links.eventPage(event, event),
  };
  return reply
    .type('text/calendar; charset=utf-8')
    .headers({
      'Content-Disposition': `attachment; filename="${event.code}.ics"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    .send(calendarOf({ method: 'PUBLISH', at: clock.now(), appointments: [appointment] }));
}
