export { type LiveSettings, liveStream } from './stream.ts';
