import { DEFAULT_TERMINOLOGY, type OrganizationChange, type OrganizationSettings } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { PageLinks } from '../../common/page-links.ts';
import { refuse } from '../../common/refusal.ts';
import { isVisible } from '../../common/unicode.ts';
import type { Work } from '../../road/operation.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { diff } from '../../road/write/diff.ts';
import { updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';

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
  logo_id: Id | null;
  imprint_url: string | null;
  privacy_url: string | null;
  embed_origins: string[];
  page_host: string | null;
  require_second_factor: boolean;
  agents: boolean;
  created_at: string;
  updated_at: string;
}

const read = async (tx: Tx, org: Id, lock = sql``): Promise<SettingsRow> =>
  (await tx.maybe<SettingsRow>(sql`
    select id, code, name, timezone, currency, language, terminology, accent, logo_id, imprint_url, privacy_url, embed_origins, page_host, require_second_factor, agents, created_at, updated_at
    from organizations where id = ${org} ${lock}`)) ?? refuse('not_found');

const shape = (row: SettingsRow, links: PageLinks): OrganizationSettings => {
  const pages = { org_code: row.code, page_host: row.page_host };
  return {
    id: toUlid(row.id),
    code: row.code,
    name: row.name,
    timezone: row.timezone,
    defaults: { currency: row.currency, language: row.language },
    terminology: { ...DEFAULT_TERMINOLOGY, ...row.terminology },
    accent: row.accent,
    logo: row.logo_id === null ? null : links.picture(pages, row.logo_id, 'logo'),
    imprint_url: row.imprint_url,
    privacy_url: row.privacy_url,
    embed_origins: row.embed_origins,
    pages_url: links.pages(pages),
    require_second_factor: row.require_second_factor,
    agents: row.agents,
    ...stamps(row),
  };
};

export const organizationSettings = async (tx: Tx, org: Id, links: PageLinks): Promise<OrganizationSettings> =>
  shape(await read(tx, org), links);

/** Null, or a word without visible characters, removes the organization's word; then the default is used again. */
function ownWords(before: Record<string, string>, change: OrganizationChange['terminology']): Record<string, string> {
  const words = { ...before };
  for (const [noun, word] of Object.entries(change ?? {})) {
    if (word === null || !isVisible(word)) delete words[noun];
    else words[noun] = word.trim();
  }
  return words;
}

const later = (tx: Tx) => sql`greatest(${tx.clock.now()}::timestamptz, updated_at + interval '1 microsecond')`;

/** The body has been validated. What it leaves out stays as it is; without any difference nothing is written. */
export async function changeOrganization(
  { tx, org, links }: { tx: Tx; org: Id; links: PageLinks },
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
    imprint_url: body.imprint_url === undefined ? before.imprint_url : body.imprint_url,
    privacy_url: body.privacy_url === undefined ? before.privacy_url : body.privacy_url,
    embed_origins: body.embed_origins ?? before.embed_origins,
    require_second_factor: body.require_second_factor ?? before.require_second_factor,
    agents: body.agents ?? before.agents,
  };
  const changes = diff(shape(before, links), shape(after, links));
  if (Object.keys(changes).length === 0) return { settings: shape(before, links), changes };
  await updateRow(tx, 'organizations', sql`id = ${org}`, {
    name: after.name,
    timezone: after.timezone,
    currency: after.currency,
    language: after.language,
    terminology: JSON.stringify(after.terminology),
    accent: after.accent,
    imprint_url: after.imprint_url,
    privacy_url: after.privacy_url,
    embed_origins: after.embed_origins,
    require_second_factor: after.require_second_factor,
    agents: after.agents,
    updated_at: later(tx),
  });
  return { settings: await organizationSettings(tx, org, links), changes };
}

export const requireLiveSettings = ({ mode }: Pick<Work, 'mode'>): void => {
  if (mode === 'test') {
    refuse('test_key_live_object', {
      message: 'The organization’s settings are live, so a test key cannot change them. Use a live key.',
    });
  }
};

/** Gives the organization another logo, or none. `replace` stores or removes it (areas/pictures) and returns its id. */
export async function setLogo(work: Work, replace: () => Promise<Id | null>): Promise<OrganizationSettings> {
  const { tx, org, links } = work;
  requireLiveSettings(work);
  const before = await read(tx, org, sql`for no key update`);
  const logo_id = await replace();
  if (logo_id === before.logo_id) {
    work.changed(NOTHING);
    return shape(before, links);
  }
  await updateRow(tx, 'organizations', sql`id = ${org}`, { logo_id, updated_at: later(tx) });
  const after = await organizationSettings(tx, org, links);
  work.changed({ kind: 'organization', id: org, changes: diff(shape(before, links), after) });
  return after;
}
