import type { FastifyInstance } from 'fastify';
import { SMALL_FORM, takeForms } from '../../road/request/form-body.ts';
import { assetPages } from './asset-pages.ts';
import { answerAlone, answerWithPage } from './failure-page.ts';
import { formPages } from './form.ts';
import { myPages } from './my-pages.ts';
import type { PageParts } from './parts.ts';
import { publicPages } from './public-pages.ts';
import { requireFewRequests } from './visitor-limits.ts';

/**
 * The registration pages of all organizations, below `/o/{org}`. Requests to an organization's own host are rewritten to there before
 * they are routed. Every step works without JavaScript: a page is HTML, a change is a form that is sent by POST.
 */
export function registrationPages(app: FastifyInstance, parts: PageParts): void {
  app.register(async (pages) => {
    takeForms(pages, SMALL_FORM);
    pages.addHook('onRequest', async (request, reply) => {
      try {
        await requireFewRequests(parts, request);
      } catch (error) {
        // Whoever sends too much must not make us look for the organization.
        return answerAlone(parts, error, request, reply);
      }
    });
    pages.setErrorHandler((error, request, reply) => answerWithPage(parts, error, request, reply));
    assetPages(pages, parts);
    publicPages(pages, parts);
    formPages(pages, parts);
    myPages(pages, parts);
  });
}
