import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { event } from './base.ts';

/** The other sections of an event: /app/{org}/events/{event}/… */
const overview = createRoute({
  getParentRoute: () => event,
  path: '/',
  ...screen(['overview', 'events', 'site'], () => import('../screens/event/overview.screen.tsx')),
});
const page = createRoute({
  getParentRoute: () => event,
  path: 'page',
  ...screen(['events', 'site'], () => import('../screens/event/page.screen.tsx')),
});
const questions = createRoute({
  getParentRoute: () => event,
  path: 'page/questions',
  validateSearch: filters('question', 'as'),
  ...screen(['form', 'booking'], () => import('../screens/event/page/questions.screen.tsx')),
});
const types = createRoute({
  getParentRoute: () => event,
  path: 'tickets',
  validateSearch: filters('type', 'as'),
  ...screen(['form', 'selling', 'booking'], () => import('../screens/event/tickets.screen.tsx')),
});
const products = createRoute({
  getParentRoute: () => event,
  path: 'tickets/products',
  validateSearch: filters('product', 'as'),
  ...screen(['form', 'selling', 'booking'], () => import('../screens/event/tickets/products.screen.tsx')),
});
const codes = createRoute({
  getParentRoute: () => event,
  path: 'tickets/codes',
  validateSearch: filters('search', 'active'),
  ...screen(['form', 'selling'], () => import('../screens/event/tickets/codes.screen.tsx')),
});
const newCode = createRoute({
  getParentRoute: () => event,
  path: 'tickets/codes/new',
  ...screen(['form', 'selling'], () => import('../screens/event/tickets/codes/new.screen.tsx')),
});
const manyCodes = createRoute({
  getParentRoute: () => event,
  path: 'tickets/codes/batch',
  validateSearch: filters('job'),
  ...screen(['form', 'selling'], () => import('../screens/event/tickets/codes/batch.screen.tsx')),
});
const code = createRoute({
  getParentRoute: () => event,
  path: 'tickets/codes/$discount',
  ...screen(['form', 'selling'], () => import('../screens/event/tickets/codes/discount.screen.tsx')),
});
const limits = createRoute({
  getParentRoute: () => event,
  path: 'tickets/limits',
  validateSearch: filters('limit', 'as'),
  ...screen(['form', 'selling', 'booking'], () => import('../screens/event/tickets/limits.screen.tsx')),
});
const days = createRoute({
  getParentRoute: () => event,
  path: 'tickets/days',
  validateSearch: filters('day', 'as'),
  ...screen(['form', 'booking'], () => import('../screens/event/tickets/days.screen.tsx')),
});
const messages = createRoute({
  getParentRoute: () => event,
  path: 'messages',
  validateSearch: filters('status'),
  ...screen(['messages'], () => import('../screens/event/messages.screen.tsx')),
});
const newMessage = createRoute({
  getParentRoute: () => event,
  path: 'messages/new',
  validateSearch: filters('draft'),
  ...screen(['messages'], () => import('../screens/event/messages/new.screen.tsx')),
});
const message = createRoute({
  getParentRoute: () => event,
  path: 'messages/$message',
  validateSearch: filters('status', 'part'),
  ...screen(['messages'], () => import('../screens/event/messages/message.screen.tsx')),
});
const money = createRoute({
  getParentRoute: () => event,
  path: 'money',
  validateSearch: filters('status', 'method', 'registration', 'from', 'to', 'payment', 'record'),
  ...screen(['payments'], () => import('../screens/event/money.screen.tsx')),
});
const reports = createRoute({
  getParentRoute: () => event,
  path: 'reports',
  validateSearch: filters('report', 'by', 'from', 'to', 'job'),
  ...screen(['reports'], () => import('../screens/event/reports.screen.tsx')),
});
const settings = createRoute({
  getParentRoute: () => event,
  path: 'settings',
  validateSearch: filters('part'),
  ...screen(['events', 'site'], () => import('../screens/event/settings.screen.tsx')),
});

export const eventRoutes = [
  ...[
    overview,
    page,
    questions,
    types,
    products,
    codes,
    newCode,
    manyCodes,
    code,
    limits,
    days,
    messages,
    newMessage,
    message,
    money,
    reports,
    settings,
  ],
] as const;
