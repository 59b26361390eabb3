import type { Id } from '../../store/ids.ts';
import type { PageParts } from './parts.ts';
import type { Site } from './site.ts';

/** Mails the links of what is registered already to these addresses. */
export async function sendLinks(
  _parts: PageParts,
  _site: Site,
  _event: Id,
  _addresses: readonly string[],
): Promise<void> {}
