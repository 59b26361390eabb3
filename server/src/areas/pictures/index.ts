export { operations } from './operations.ts';
export { type PictureFile, pictureFile } from './serve.ts';
