import type { CheckIn, HandOut, Manifest, RosterChanges, ScanBatchResponse, ScanResponse } from '@turnout/client';

/** Whether an answer is what it should be, as far as we rely on it. Fields that we do not know are fine. */

type Fields = Record<string, unknown>;
const isObject = (json: unknown): json is Fields => typeof json === 'object' && json !== null && !Array.isArray(json);
const isText = (value: unknown): value is string => typeof value === 'string';

export function readScan(json: unknown): ScanResponse | null {
  if (!isObject(json) || !isText(json.result) || typeof json.admitted !== 'boolean') return null;
  if (!Array.isArray(json.people) || !Array.isArray(json.checkins) || !isText(json.scanned_at)) return null;
  if (!isObject(json.message) || !isText(json.message.tone)) return null;
  return json as unknown as ScanResponse;
}

type Item = ScanBatchResponse['results'][number];

/** One answer for each scan of the batch, or it is no answer to this batch. */
export const readBatch =
  (scans: number) =>
  (json: unknown): readonly Item[] | null => {
    if (!isObject(json) || !Array.isArray(json.results) || json.results.length !== scans) return null;
    return json.results.every(isItem) ? (json.results as Item[]) : null;
  };

const isItem = (item: unknown): boolean =>
  readScan(item) !== null ||
  (isObject(item) && isObject(item.error) && isText(item.error.code) && isText(item.error.message));

const LISTS = ['days', 'check_in_points', 'attendee_types', 'groups'];

export function readManifest(json: unknown): Manifest | null {
  if (!isObject(json) || !isObject(json.event) || !isObject(json.roster) || !isText(json.server_time)) return null;
  if (!isText(json.event.timezone) || !isText(json.roster.url) || Number.isNaN(Date.parse(json.server_time)))
    return null;
  return LISTS.every((list) => Array.isArray(json[list])) ? (json as unknown as Manifest) : null;
}

/** What changed in a roster. Its entries are checked when they are kept. */
export function readChanges(json: unknown): RosterChanges | null {
  if (!isObject(json) || !Array.isArray(json.data) || !Array.isArray(json.removed) || !isText(json.as_of)) return null;
  return Number.isNaN(Date.parse(json.as_of)) ? null : (json as unknown as RosterChanges);
}

/** The group that the roster of this device is limited to. */
export function groupOf(manifest: Manifest | null): string | null {
  const group = (manifest as { group?: unknown } | null)?.group;
  return isObject(group) && isText(group.code) ? group.code : null;
}

/** A unit that was handed out, or taken back. */
export function readHandOut(json: unknown): HandOut | null {
  if (!isObject(json) || !isText(json.id) || !isText(json.updated_at) || typeof json.surplus !== 'boolean') return null;
  return json as unknown as HandOut;
}

export interface PairAnswer {
  readonly device: { readonly id: string; readonly name: string };
  readonly token: string;
  readonly event: { readonly id: string; readonly name: string; readonly timezone: string };
}

export function readPair(json: unknown): PairAnswer | null {
  if (!isObject(json) || !isObject(json.device) || !isText(json.token) || !isObject(json.event)) return null;
  return isText(json.device.id) && isText(json.event.id) ? (json as unknown as PairAnswer) : null;
}

export const readEvent = (json: unknown): PairAnswer['event'] | null =>
  isObject(json) && isText(json.id) && isText(json.name) && isText(json.timezone)
    ? (json as unknown as PairAnswer['event'])
    : null;

export interface DeviceMembers {
  readonly data: readonly { readonly id: string; readonly name: string }[];
}
export interface DeviceUnlocked {
  readonly member: { readonly id: string; readonly name: string };
  readonly expires_at: string;
}

export const readMembers = (json: unknown): DeviceMembers | null =>
  isObject(json) && Array.isArray(json.data) ? (json as unknown as DeviceMembers) : null;

export const readUnlocked = (json: unknown): DeviceUnlocked | null =>
  isObject(json) && isObject(json.member) && isText(json.expires_at) ? (json as unknown as DeviceUnlocked) : null;

export const readCheckIn = (json: unknown): CheckIn | null =>
  isObject(json) && isText(json.id) && isText(json.attendee_id) ? (json as unknown as CheckIn) : null;

export const readAnything = (json: unknown): Fields | null => (isObject(json) ? json : null);
