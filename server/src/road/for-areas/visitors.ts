import { monthOf } from '../../clock.ts';
import { type Id, parseRef } from '../../common/ids.ts';
import { lookup } from '../../store/lookup.ts';
import type { Pool } from '../../store/pool.ts';
import { type Caller, type OrganizationColumns, organizationOf, type VisitorActor } from '../caller.ts';

/** An organization as its registration pages show it. */
export interface PublicOrganization extends Pick<Caller, 'org' | 'plan'> {
  language: string;
  accent: string | null;
  logo_id: Id | null;
  imprint_url: string | null;
  privacy_url: string | null;
  embed_origins: string[];
  page_host: string | null;
}

type Row = OrganizationColumns & Omit<PublicOrganization, 'org' | 'plan'>;

/** Finds the organization that an address names by its code or id. Whoever opens a page has no key. */
export async function findOrganization(pool: Pool, ref: string): Promise<PublicOrganization | null> {
  if (ref.length > 100 || ref.includes('\u0000')) return null;
  const { id, code } = parseRef(ref);
  const { rows } = await lookup<Row>(pool, {
    name: 'find_organization',
    text: 'select * from directory.find_organization($1, $2)',
    values: [code, id],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const { language, accent, logo_id, imprint_url, privacy_url, embed_origins, page_host } = row;
  return {
    ...organizationOf(row),
    language,
    accent,
    logo_id,
    imprint_url,
    privacy_url,
    embed_origins,
    page_host,
  };
}

export const visitorOf = ({ org, plan }: PublicOrganization, actor: Omit<VisitorActor, 'kind'>, now: Date): Caller => ({
  actor: { kind: 'visitor', ...actor },
  org,
  plan,
  mode: 'live',
  group: null,
  usage: { month: monthOf(now), calls: 0 },
});
