import { afterAll, beforeAll } from 'vitest';
import { runMatrix } from './support/matrix/run.ts';
import { World } from './support/matrix/world.ts';

/** The access matrix of the admin app; access-matrix.test.ts tells what it is. A file of its own runs beside that one. */
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());

runMatrix('member', () => world);
