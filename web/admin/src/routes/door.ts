import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { event } from './base.ts';

/** The day itself: check-in points, devices, live, the desk, and what came of it. */
const door = createRoute({
  getParentRoute: () => event,
  path: 'door',
  validateSearch: filters('check_in_point', 'test'),
  ...screen(['door'], () => import('../screens/door/door.tsx')),
});
const points = createRoute({
  getParentRoute: () => event,
  path: 'door/points',
  ...screen(['door'], () => import('../screens/door/points.tsx')),
});
const point = createRoute({
  getParentRoute: () => event,
  path: 'door/points/$point',
  validateSearch: filters('attendee', 'ticket'),
  ...screen(['door'], () => import('../screens/door/point.tsx')),
});
const devices = createRoute({
  getParentRoute: () => event,
  path: 'door/devices',
  ...screen(['door'], () => import('../screens/door/devices.tsx')),
});
const live = createRoute({
  getParentRoute: () => event,
  path: 'door/live',
  validateSearch: filters('check_in_point', 'day'),
  ...screen(['door'], () => import('../screens/door/live.tsx')),
});
const checkIns = createRoute({
  getParentRoute: () => event,
  path: 'door/check-ins',
  validateSearch: filters('check_in_point', 'day', 'result', 'admitted', 'from', 'to', 'test', 'check_in', 'job'),
  ...screen(['door'], () => import('../screens/door/check-ins.tsx')),
});
const reconciliation = createRoute({
  getParentRoute: () => event,
  path: 'door/reconciliation',
  validateSearch: filters('job'),
  ...screen(['door'], () => import('../screens/door/reconciliation.tsx')),
});
const attendance = createRoute({
  getParentRoute: () => event,
  path: 'door/attendance',
  validateSearch: filters('day', 'job'),
  ...screen(['door'], () => import('../screens/door/attendance.tsx')),
});
const test = createRoute({
  getParentRoute: () => event,
  path: 'door/test',
  ...screen(['door'], () => import('../screens/door/test.tsx')),
});
const desk = createRoute({
  getParentRoute: () => event,
  path: 'desk',
  validateSearch: filters('search', 'person', 'check_in_point'),
  ...screen(['desk', 'people'], () => import('../screens/desk/desk.tsx')),
});
const reports = createRoute({
  getParentRoute: () => event,
  path: 'reports',
  validateSearch: filters('report', 'by', 'from', 'to', 'job'),
  ...screen(['reports'], () => import('../screens/reports/reports.tsx')),
});

export const doorRoutes = [
  ...[door, points, point, devices, live, checkIns, reconciliation, attendance, test],
  ...[desk, reports],
] as const;
