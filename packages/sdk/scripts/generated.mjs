// The generated part of the TypeScript SDK, made from the OpenAPI document. scripts/generate.mjs writes it.
import { errorsText } from './errors.mjs';
import { operationsOf } from './operations.mjs';
import { allText, resourcesText } from './resources.mjs';
import { schemasText } from './schemas.mjs';

/** Resources that have methods written by hand. */
const WRITTEN = { jobs: { name: 'JobsAndWaiting', from: '../jobs.ts' } };

/** The files by their paths. */
export function sdkFiles(document) {
  const operations = operationsOf(document).sort((a, b) => (a.clientName < b.clientName ? -1 : 1));
  const at = 'packages/sdk/src/generated';
  return {
    [`${at}/schemas.ts`]: schemasText(document, operations),
    [`${at}/errors.ts`]: errorsText(operations),
    [`${at}/resources.ts`]: resourcesText(document, operations),
    [`${at}/all.ts`]: allText(operations, WRITTEN),
  };
}
