import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { event, organization } from './base.ts';

/** What comes in and goes out: payments, messages, files, and the address book. */
const contacts = createRoute({
  getParentRoute: () => organization,
  path: 'contacts',
  validateSearch: filters('search', 'order'),
  ...screen(['contacts', 'parts', 'person', 'states'], () => import('../screens/contacts/list.tsx')),
});
const contact = createRoute({
  getParentRoute: () => organization,
  path: 'contacts/$contact',
  validateSearch: filters('search', 'order', 'do'),
  ...screen(['contacts', 'parts', 'person', 'states'], () => import('../screens/contacts/contact.tsx')),
});
const payments = createRoute({
  getParentRoute: () => event,
  path: 'payments',
  validateSearch: filters('status', 'method', 'registration', 'from', 'to', 'payment', 'record'),
  ...screen(['payments'], () => import('../screens/payments/list.tsx')),
});
const messages = createRoute({
  getParentRoute: () => event,
  path: 'messages',
  validateSearch: filters('status'),
  ...screen(['messages'], () => import('../screens/messages/list.tsx')),
});
const createMessage = createRoute({
  getParentRoute: () => event,
  path: 'messages/new',
  validateSearch: filters('draft'),
  ...screen(['messages'], () => import('../screens/messages/new.tsx')),
});
const message = createRoute({
  getParentRoute: () => event,
  path: 'messages/$communication',
  validateSearch: filters('status', 'part'),
  ...screen(['messages'], () => import('../screens/messages/message.tsx')),
});
const importing = createRoute({
  getParentRoute: () => event,
  path: 'import',
  validateSearch: filters('step', 'job', 'fix'),
  ...screen(['import'], () => import('../screens/import/import.tsx')),
});
const platform = createRoute({
  getParentRoute: () => event,
  path: 'import/platform',
  validateSearch: filters('step', 'connection', 'source', 'job'),
  ...screen(['import'], () => import('../screens/import/platform.tsx')),
});
/** What is exported, how, and which rows. */
const EXPORT_FILTERS = [
  ...(['job', 'what', 'format', 'columns', 'status', 'attendee_type', 'day', 'group', 'checked_in'] as const),
  ...(['report', 'check_in_point', 'result', 'admitted', 'method', 'registration_status'] as const),
  ...(['from', 'to', 'by', 'answer.*'] as const),
];
const exporting = createRoute({
  getParentRoute: () => event,
  path: 'export',
  validateSearch: filters(...EXPORT_FILTERS),
  ...screen(['export'], () => import('../screens/export/export.tsx')),
});

export const fileRoutes = {
  organization: [contacts, contact],
  event: [payments, messages, createMessage, message, importing, platform, exporting],
} as const;
