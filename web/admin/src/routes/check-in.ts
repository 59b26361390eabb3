import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { event } from './base.ts';

/** The day itself: the desk, scanning, check-in points, devices, the live page, and what came of it: /app/{org}/events/{event}/check-in/… */
const start = createRoute({
  getParentRoute: () => event,
  path: 'check-in',
  ...screen(['door'], () => import('../screens/event/check-in.screen.tsx')),
});
const desk = createRoute({
  getParentRoute: () => event,
  path: 'check-in/desk',
  validateSearch: filters('search', 'person', 'check_in_point', 'add', 'from'),
  ...screen(['desk', 'people', 'booking', 'handing-out'], () => import('../screens/event/check-in/desk.screen.tsx')),
});
const scan = createRoute({
  getParentRoute: () => event,
  path: 'check-in/scan',
  validateSearch: filters('check_in_point', 'test'),
  ...screen(['door'], () => import('../screens/event/check-in/scan.screen.tsx')),
});
const live = createRoute({
  getParentRoute: () => event,
  path: 'check-in/live',
  validateSearch: filters('check_in_point', 'day'),
  ...screen(['door'], () => import('../screens/event/check-in/live.screen.tsx')),
});
const points = createRoute({
  getParentRoute: () => event,
  path: 'check-in/points',
  ...screen(['door'], () => import('../screens/event/check-in/points.screen.tsx')),
});
const point = createRoute({
  getParentRoute: () => event,
  path: 'check-in/points/$point',
  validateSearch: filters('attendee', 'ticket'),
  ...screen(['door'], () => import('../screens/event/check-in/points/point.screen.tsx')),
});
const devices = createRoute({
  getParentRoute: () => event,
  path: 'check-in/devices',
  ...screen(['door'], () => import('../screens/event/check-in/devices.screen.tsx')),
});
const checkIns = createRoute({
  getParentRoute: () => event,
  path: 'check-in/check-ins',
  validateSearch: filters('check_in_point', 'day', 'result', 'admitted', 'from', 'to', 'test', 'check_in', 'job'),
  ...screen(['door'], () => import('../screens/event/check-in/check-ins.screen.tsx')),
});
const attendance = createRoute({
  getParentRoute: () => event,
  path: 'check-in/attendance',
  validateSearch: filters('day', 'job'),
  ...screen(['door'], () => import('../screens/event/check-in/attendance.screen.tsx')),
});
const reconciliation = createRoute({
  getParentRoute: () => event,
  path: 'check-in/reconciliation',
  validateSearch: filters('job'),
  ...screen(['door'], () => import('../screens/event/check-in/reconciliation.screen.tsx')),
});
const test = createRoute({
  getParentRoute: () => event,
  path: 'check-in/test',
  ...screen(['door'], () => import('../screens/event/check-in/test.screen.tsx')),
});

export const checkInRoutes = [
  ...[start, desk, scan, live, points, point, devices, checkIns, attendance, reconciliation, test],
] as const;
