export * from './call.ts';
export * from './live.ts';
export type * from './operations.generated.ts';
export { type Detail, Problem } from './problem.ts';
