import { describe, expect, test } from 'vitest';
import { AT_START, after, type Heard, heardIn } from './link.ts';

const through = (...heard: Heard[]) => heard.reduce(after, AT_START);
const ANSWERED: Heard = { what: 'answered', scanning: false };
const SCANNED: Heard = { what: 'answered', scanning: true };
const NOTHING: Heard = { what: 'unanswered' };
const REVOKED: Heard = { what: 'refused', code: 'device_revoked' };
const ARCHIVED: Heard = { what: 'refused', code: 'event_archived' };

describe('the connection', () => {
  test.each<[string, Heard[], string]>([
    ['one call without an answer is an accident', [NOTHING], 'online'],
    ['two in a row are not', [NOTHING, NOTHING], 'offline'],
    ['an answer in between starts anew', [NOTHING, ANSWERED, NOTHING], 'online'],
    ['a server that is busy is there', [NOTHING, { what: 'busy' }, NOTHING], 'online'],
    ['any answer ends it', [NOTHING, NOTHING, ANSWERED], 'online'],
    ['also that it is busy', [NOTHING, NOTHING, { what: 'busy' }], 'online'],
    ['a refusal holds without a network', [REVOKED, NOTHING, NOTHING, NOTHING], 'refused'],
    ['until a call is answered', [REVOKED, ANSWERED], 'online'],
    ['an archived event answers everything but scans', [ARCHIVED, ANSWERED], 'refused'],
    ['until a scan is answered', [ARCHIVED, SCANNED], 'online'],
    ['an old app stops', [{ what: 'too_old' }, NOTHING], 'too_old'],
    ['until it is new enough', [{ what: 'too_old' }, ANSWERED], 'online'],
    ['busy does not end a refusal', [REVOKED, { what: 'busy' }], 'refused'],
  ])('%s', (_, heard, connection) => {
    expect(through(...heard).connection).toBe(connection);
  });
});

describe('what a refusal means', () => {
  test.each([
    [426, 'client_too_old', 'event', { what: 'too_old' }],
    [429, 'rate_limited', 'event', { what: 'busy' }],
    [409, 'batch_in_progress', 'event', { what: 'busy' }],
    [401, 'api_key_revoked', 'event', REVOKED],
    [401, 'api_key_revoked', 'thing', REVOKED],
    [401, 'pin_wrong', 'thing', null],
    [404, 'not_found', 'event', { what: 'refused', code: 'not_found' }],
    [404, 'not_found', 'thing', null],
    [409, 'invalid_state', 'event', ARCHIVED],
    [409, 'invalid_state', 'thing', null],
    [422, 'client_uuid_reused', 'event', null],
    [422, 'validation_failed', 'event', null],
  ] as const)('%i %s about the %s', (status, code, about, heard) => {
    expect(heardIn({ status, code }, about)).toEqual(heard);
  });
});
