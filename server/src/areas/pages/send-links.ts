import type { Id } from '../../common/ids.ts';
import { transaction } from '../../store/tx.ts';
import { queueLinks } from './my-links.ts';
import type { PageParts } from './parts.ts';
import type { Site } from './site.ts';

/** Mails the links of what is registered already to whichever of these addresses are registered for the event. */
export async function sendLinks(
  { pool, clock, wakeMails }: PageParts,
  { organization, language }: Site,
  event: Id,
  addresses: readonly string[],
): Promise<void> {
  const org = organization.org.id;
  await transaction(pool, clock, { role: 'app', org }, async (tx) => {
    for (const email of addresses) await queueLinks(tx, { org, event, email, language });
  });
  wakeMails();
}
