export { operations } from './operations.ts';
export { pictureFile, pictureSize } from './serve.ts';
