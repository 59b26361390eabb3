import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AGAIN_MS, Camera, type CameraState, FOCUS_MS } from './camera.ts';

/** A camera of the device; `readyState` tells whether it is on. */
class Track extends EventTarget {
  readyState = 'live';
  readonly wishes: unknown[] = [];
  stop(): void {
    this.readyState = 'ended';
  }
  getSettings() {
    return { deviceId: 'back', facingMode: 'environment' };
  }
  getCapabilities() {
    return { torch: true, focusMode: ['continuous', 'single-shot'], pointsOfInterest: [] };
  }
  async applyConstraints({ advanced }: { advanced: unknown[] }): Promise<void> {
    this.wishes.push(advanced[0]);
  }
}

/** The cameras that the browser gave out, and what it answers when it is asked for one. */
let given: Track[];
let ask: () => Promise<MediaStream>;
let states: CameraState[];

function give(): MediaStream {
  const track = new Track();
  given.push(track);
  return { getTracks: () => [track], getVideoTracks: () => [track] } as unknown as MediaStream;
}

function camera(): Camera {
  const video = { clientWidth: 960, clientHeight: 540, videoWidth: 1280, videoHeight: 720, play: async () => {} };
  return new Camera({
    video: video as unknown as HTMLVideoElement,
    ...{ facing: 'environment', memory: null },
    onStatus: ({ state }) => states.push(state),
  });
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  given = [];
  states = [];
  ask = async () => give();
  vi.useFakeTimers();
  const mediaDevices = Object.assign(new EventTarget(), {
    getUserMedia: () => ask(),
    enumerateDevices: async () => [{ kind: 'videoinput', deviceId: 'back', label: 'Back' }],
  });
  const permissions = { query: async () => new EventTarget() };
  vi.stubGlobal('navigator', { mediaDevices, permissions });
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('isSecureContext', true);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('stopped while the camera is still asked for, it is let go as soon as it comes', async () => {
  const asked: (() => void)[] = [];
  ask = () => new Promise((resolve) => asked.push(() => resolve(give())));
  const reader = camera();
  reader.start();
  reader.stop();
  reader.start();
  reader.stop();
  for (const answer of asked) answer();
  await settled();
  expect(given.map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
  expect(reader.status.state).toBe('off');
});

test('another app has it: busy, and it is tried again', async () => {
  let tries = 0;
  ask = async () => {
    tries += 1;
    if (tries === 1) throw new DOMException('Could not start video source', 'NotReadableError');
    return give();
  };
  const reader = camera();
  reader.start();
  await settled();
  expect(reader.status.state).toBe('busy');
  await vi.advanceTimersByTimeAsync(AGAIN_MS - 1);
  expect(tries).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect([...new Set(states)]).toEqual(['starting', 'busy', 'running']);
});

test('light and focus are used where the camera has them', async () => {
  const reader = camera();
  reader.start();
  await settled();
  expect(reader.status).toMatchObject({ state: 'running', torch: false, focusable: true });
  await reader.light(true);
  await reader.focusAt({ x: 480, y: 135 });
  expect(reader.status.torch).toBe(true);
  const tapped = { pointsOfInterest: [{ x: 0.5, y: 0.25 }], focusMode: 'single-shot' };
  expect(given[0]!.wishes).toEqual([{ focusMode: 'continuous' }, { torch: true }, tapped]);
  // After a tap, it focuses by itself again.
  await vi.advanceTimersByTimeAsync(FOCUS_MS);
  expect(given[0]!.wishes.at(-1)).toEqual({ focusMode: 'continuous' });
});
