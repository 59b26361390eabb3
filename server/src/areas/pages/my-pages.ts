import type { FastifyInstance } from 'fastify';
import type { Operation } from '../../road/operation.ts';
import { type FormLimits, LARGE_FORM, SMALL_FORM } from '../../road/request/form-body.ts';
import { askToCancel, takeCancel } from './my-cancel.ts';
import { showFind, takeFind } from './my-find.ts';
import { showForm, takeForm } from './my-forms.ts';
import { keep } from './my-keep.ts';
import { pay } from './my-pay.ts';
import { showProducts, takeProducts } from './my-products.ts';
import { calendarFile, ticketsPdf } from './my-tickets.ts';
import { showRegistration } from './my-view.ts';
import { byLink, type VisitHandler } from './my-visit.ts';
import { operations } from './operations.ts';
import { onSite, type PageParts } from './parts.ts';

const operationOf = (id: string): Operation => operations.find((one) => one.id === id)!;

/** My registration: what a signed link opens. A GET changes nothing, and whatever is done is a POST of a form. */
export function myPages(pages: FastifyInstance, parts: PageParts): void {
  const at = '/o/:org/my/:token';
  const get = (path: string, handler: VisitHandler) => pages.get(at + path, byLink(parts, handler));
  const both = (path: string, show: VisitHandler, take: VisitHandler, form: FormLimits) => {
    get(path, show);
    pages.post(at + path, { config: { form } }, byLink(parts, take));
  };
  pages.get('/o/:org/my', onSite(parts, showFind(parts)));
  pages.post('/o/:org/my', onSite(parts, takeFind(parts)));
  get('', showRegistration(parts));
  get('/tickets.pdf', ticketsPdf(parts));
  get('/calendar.ics', calendarFile);
  pages.post(`${at}/pay`, byLink(parts, pay(parts, operationOf('startOwnCheckout'))));
  pages.post(`${at}/keep`, byLink(parts, keep(parts, operationOf('keepOwnPlaces'))));

  const place = '/people/:attendee';
  const changing = { action: 'change', path: 'change', isNew: false, done: 'changed' } as const;
  const change = { ...changing, operation: operationOf('changeOwnPlace') };
  both(`${place}/change`, showForm(parts, change), takeForm(parts, change), LARGE_FORM);
  const handing = { action: 'transfer', path: 'hand-on', isNew: true, done: 'handed' } as const;
  const handOn = { ...handing, operation: operationOf('handOnPlace') };
  both(`${place}/hand-on`, showForm(parts, handOn), takeForm(parts, handOn), LARGE_FORM);
  const ownProducts = { of: 'place', operation: operationOf('changeOwnProducts') } as const;
  both(`${place}/extras`, showProducts(parts, ownProducts), takeProducts(parts, ownProducts), LARGE_FORM);
  const shared = { of: 'registration', operation: operationOf('changeSharedProducts') } as const;
  both('/extras', showProducts(parts, shared), takeProducts(parts, shared), LARGE_FORM);
  const cancelPlace = { of: 'place', operation: operationOf('cancelOwnPlace') } as const;
  both(`${place}/cancel`, askToCancel(parts, cancelPlace), takeCancel(parts, cancelPlace), SMALL_FORM);
  const cancelAll = { of: 'registration', operation: operationOf('cancelOwnRegistration') } as const;
  both('/cancel', askToCancel(parts, cancelAll), takeCancel(parts, cancelAll), SMALL_FORM);
}
