/** A file of `migrations/`. */
export interface Migration {
  name: string;
  text: string;
  checksum: string;
}
