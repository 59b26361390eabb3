export { FieldWedge } from './field-wedge.ts';
export { keyOf, type Typed } from './keys.ts';
export { listenToWedge } from './wedge.ts';
