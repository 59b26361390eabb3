import type { Camera } from './camera.ts';
export async function takeScreens(..._: (Camera|string)[]): Promise<void> {}
