import type { FilesPlace } from '../common/files-place.ts';
import type { Files } from './files.ts';
import { folderFiles } from './folder-files.ts';

export async function openFiles(place: FilesPlace): Promise<Files> {
  if ('folder' in place) return folderFiles(place.folder);
  // Its library takes longer to load than the rest of the start.
  const { s3Files } = await import('./s3-files.ts');
  return s3Files(place);
}
