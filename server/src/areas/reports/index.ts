export { type ReportLine, reportLines } from './lines.ts';
export { operations } from './operations.ts';
export { exportScope } from './scope.ts';
