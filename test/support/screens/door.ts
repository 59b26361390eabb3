import type { Page } from 'playwright-core';
import { button, inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const handOver = async (page: Page, content: object) => {
  await press(page, 'Record scans from a file');
  const buffer = Buffer.from(JSON.stringify(content));
  await page.getByLabel('Scanner file').setInputFiles({ name: 'scans.json', mimeType: 'application/json', buffer });
};

/** The door and what is told of it: points and their rules, devices, what happens now, what happened, and the reports. */
export const doorScreens = ({ people, fair }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name: `door: ${name}`, as: 'owner', path: `${fair.event}/check-in${path}`, ...more }) satisfies Screen;
  const empty = (name: string, path: string): Screen => ({
    ...{ name: `door: ${name}`, as: 'owner', path: `${people.empty}/check-in${path}` },
  });
  const [door, points, devices] = [on('/scan'), on('/points'), on('/devices')];
  const scanned = (code: string) => async (page: Page) => {
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    await page.locator('.door-answer[data-result]').waitFor();
  };
  return [
    door('at first'),
    on('/scan?check_in_point=gate&test=true')('somebody admitted in test mode', { act: scanned(fair.ticket) }),
    on('/scan?check_in_point=gate')('unknown code', { act: scanned('NEVER-SEEN') }),
    // Leads on to the desk.
    on('')('event navigation of a phone', {
      widths: [390],
      act: async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await page.getByRole('navigation', { name: 'Navigation on the day' }).getByRole('button').click();
        await page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
      },
    }),
    empty('without points', '/scan'),
    points('points'),
    points('add a point', {
      act: async (page) => {
        await press(page, 'Add point');
        await inDialog(page).getByRole('button', { name: 'Add point' }).click();
        await said(page, 'Fill this in.');
      },
    }),
    on('/points/gate')('an entry', { act: (page) => page.locator('.door-answer[data-result]').waitFor() }),
    on('/points/stage')('a zone with every rule', {
      act: async (page) => {
        await press(page, 'Add earlier admission');
        await page.getByText('All rules, in order').click();
      },
    }),
    on('/points/no-such-point')('no such point'),
    { name: 'door: a zone for a viewer', as: 'viewer', path: `${fair.event}/check-in/points/stage` },
    devices('devices'),
    empty('no devices', '/devices'),
    devices('pair a device', {
      act: async (page) => {
        await press(page, 'Pair');
        await inDialog(page).getByRole('button', { name: 'Pair' }).click();
        await page.getByRole('img', { name: 'QR code to pair a device' }).waitFor();
      },
    }),
    devices('unpair a device', { act: (page) => button(page, /^Unpair Telefon/).click() }),
    devices('scans from a file', { act: (page) => press(page, 'Record scans from a file') }),
    devices('a file that has no scans', {
      act: async (page) => {
        await handOver(page, { turnout: 'something else' });
        await said(page, 'This file has no scans in it.');
      },
    }),
    devices('scans from a file, recorded', {
      act: async (page) => {
        await handOver(page, {
          ...{
            turnout: 'scans',
            version: 1,
            event: { id: fair.id, name: '' },
            device: { name: 'Telefon am Haupteingang, ganz links außen' },
          },
          // Sent as a test, so that the other screens stay as they are; one of them is of a point that does not exist.
          scans: ['gate', 'no-such-point'].map((check_in_point, i) => ({
            ...{ code: fair.ticket, check_in_point, test: true, offline_result: 'wrong_day' },
            client_uuid: `5b0c7d1e-2a94-4c36-b8f1-6d3e9a7c4f2${i}`,
          })),
        });
        await inDialog(page).getByRole('button', { name: 'Record' }).click();
        await said(page, '2 of 2 sent');
        await inDialog(page).getByRole('table', { name: 'Not recorded' }).waitFor();
      },
    }),
    on('/live')('live', { act: (page) => page.locator('.live[data-state="live"] .live-big').first().waitFor() }),
    on('/live')('live without a connection', {
      answers: { 'GET /live': 'lost' },
      act: (page) => said(page, /No connection|Connecting/),
    }),
    on('/check-ins')('check-ins'),
    on('/check-ins')('one check-in', {
      act: async (page) => {
        await page.locator('.data-body .row-link').last().click();
        await inDialog(page).waitFor();
      },
    }),
    on('/check-ins?result=day_locked')('no check-in matches'),
    on('/reconciliation')('reconciliation'),
    empty('nothing to reconcile', '/reconciliation'),
    on('/attendance')('attendance'),
    on('/attendance')('attendance not answered', {
      answers: { 'GET /reports/attendance': refusal(503, 'unavailable') },
    }),
    on('/test')('test mode'),
    on('/test')('clear tests', { act: (page) => press(page, 'Clear test check-ins') }),
  ];
};

/** Reports: each drawn, nothing to draw, and not answered. */
export const reportScreens = ({ people, fair }: ScreensWorld): Screen[] => {
  const report = (name: string, search: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name: `report: ${name}`, as: 'owner', path: `${fair.event}/reports${search}` },
    ...more,
  });
  return [
    report('registrations', ''),
    report('attendance', '?report=attendance'),
    report('refusals', '?report=refusals'),
    report('money', '?report=money'),
    report('sales', '?report=sales'),
    report('refusals of a time without any', '?report=refusals&from=2020-01-01&to=2020-01-02'),
    report('not answered', '?report=money', { answers: { 'GET /reports/money': refusal(503, 'unavailable') } }),
    report('file', '?report=money', {
      act: async (page) => {
        await press(page, 'Export');
        await page.getByRole('menuitem', { name: 'CSV file' }).click();
        await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
      },
    }),
    { name: 'report: of an event without anybody', as: 'owner', path: `${people.empty}/reports` },
  ];
};
