export interface Tag {
  name: string;
  path: string;
  title: string;
}
export function findTags(root: string): Tag[];
export function tagsOf(path: string, text: string): Tag[];
