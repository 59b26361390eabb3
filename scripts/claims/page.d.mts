import type { Tag } from './tags.mjs';

export interface Sentence {
  says: string;
  claims?: string[];
  gaps?: number[];
  note?: string;
}
export function faultsOf(sentences: Sentence[], tags: Tag[], gaps: Map<number, string>): string[];
export function claimsPage(root: string): string;
