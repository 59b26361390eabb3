import { exportJob } from './export.ts';
import { importJob } from './import-job.ts';
import { operations as files } from './operations.ts';
import { platformImport } from './platform-import.ts';
import { platformOperations } from './platform-operations.ts';

export { GONE_AFTER_MS, Pace } from './import-pace.ts';
export { isWaitedFor, lastChange } from './import-queries.ts';
export {
  askAccount,
  askPlatform,
  type ConnectionRow,
  connect,
  connectionShape,
  connections,
  disconnect,
} from './platform-connections.ts';
export { platformImport } from './platform-import.ts';
export { checkInput, inputOf } from './platform-mapping.ts';
export const operations = [...files, ...platformOperations];
export const jobs = [exportJob, importJob, platformImport];
export { importCrons as crons } from './import-job.ts';
