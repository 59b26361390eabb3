/* What the other process answers (apart-main.ts). */

export type NameFound = { host: string; addresses: string[] } | { host: string; fault: string };

export interface FilesFound {
  describe: string;
  mark: string | null;
  isMarkRead: boolean;
  /** What it did last. */
  step: string;
  fault: string | null;
}

export interface Room {
  free: number;
  size: number;
  freeFiles: number;
  maxFiles: number;
}
