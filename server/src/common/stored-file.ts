/** A file that a job was given or has made. */
export interface StoredFile {
  key: string;
  filename: string;
  mediaType: string;
  size: number;
}
