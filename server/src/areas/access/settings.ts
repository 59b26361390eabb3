import { DEFAULT_TERMINOLOGY, type OrganizationChange, type OrganizationSettings } from '@turnout/contract';
import { diff } from '../../road/diff.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, toUlid } from '../../store/ids.ts';
import { updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { isVisible } from '../../unicode.ts';

interface SettingsRow {
  id: Id;
  code: string;
  name: string;
  timezone: string;
  currency: string;
  language: string;
  /** Only the words that the organization has set. */
  terminology: Record<string, string>;
  accent: string | null;
  require_second_factor: boolean;
  created_at: string;
  updated_at: string;
}

const read = async (tx: Tx, org: Id, lock = sql``): Promise<SettingsRow> =>
  (await tx.maybe<SettingsRow>(sql`
    select id, code, name, timezone, currency, language, terminology, accent, require_second_factor, created_at, updated_at
    from organizations where id = ${org} ${lock}`)) ?? refuse('not_found');

const shape = (row: SettingsRow): OrganizationSettings => ({
  id: toUlid(row.id),
  code: row.code,
  name: row.name,
  timezone: row.timezone,
  defaults: { currency: row.currency, language: row.language },
  terminology: { ...DEFAULT_TERMINOLOGY, ...row.terminology },
  accent: row.accent,
  require_second_factor: row.require_second_factor,
  ...stamps(row),
});

export const organizationSettings = async (tx: Tx, org: Id): Promise<OrganizationSettings> =>
  shape(await read(tx, org));

/** Null, or a word without visible characters, removes the organization's word; then the default is used again. */
function ownWords(before: Record<string, string>, change: OrganizationChange['terminology']): Record<string, string> {
  const words = { ...before };
  for (const [noun, word] of Object.entries(change ?? {})) {
    if (word === null || !isVisible(word)) delete words[noun];
    else words[noun] = word.trim();
  }
  return words;
}

/** The body has been validated. What it leaves out stays as it is; without any difference nothing is written. */
export async function changeOrganization(
  tx: Tx,
  org: Id,
  body: OrganizationChange,
): Promise<{ settings: OrganizationSettings; changes: ReturnType<typeof diff> }> {
  // `no key`: a stronger lock would block every insert of a row that refers to the organization.
  const before = await read(tx, org, sql`for no key update`);
  const after: SettingsRow = {
    ...before,
    name: body.name ?? before.name,
    timezone: body.timezone ?? before.timezone,
    currency: body.defaults?.currency ?? before.currency,
    language: body.defaults?.language ?? before.language,
    terminology: ownWords(before.terminology, body.terminology),
    accent: body.accent === undefined ? before.accent : (body.accent?.toLowerCase() ?? null),
    require_second_factor: body.require_second_factor ?? before.require_second_factor,
  };
  const changes = diff(shape(before), shape(after));
  if (Object.keys(changes).length === 0) return { settings: shape(before), changes };
  await updateRow(tx, 'organizations', sql`id = ${org}`, {
    name: after.name,
    timezone: after.timezone,
    currency: after.currency,
    language: after.language,
    terminology: JSON.stringify(after.terminology),
    accent: after.accent,
    require_second_factor: after.require_second_factor,
    updated_at: sql`greatest(${tx.clock.now()}::timestamptz, updated_at + interval '1 microsecond')`,
  });
  return { settings: await organizationSettings(tx, org), changes };
}
