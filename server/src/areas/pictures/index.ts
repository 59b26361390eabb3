export { operations } from './operations.ts';
export { type PictureFile, pictureFile, pictureSize } from './serve.ts';
