import { listenToWedge } from '@turnout/ui/wedge';
import { Camera, type CameraStatus, type Facing, type Memory } from './camera.ts';
import { type DecodedFrame, Frames } from './frames.ts';
import { Holding } from './holding.ts';
import type { Point } from './types.ts';

export type { CameraStatus, Facing, Memory } from './camera.ts';
export type { DecodedFrame } from './frames.ts';

/** A code that was held up or typed by a scanner. One call is one scan. */
export interface ReadCode {
  readonly text: string;
  readonly by: 'camera' | 'wedge';
  /** For `wedge`: what else the code may be if the keys do not tell (keys.ts of @turnout/ui). To be tried in this order if nobody knows `text`. */
  readonly otherwise: readonly string[];
}

export interface ReaderParts {
  readonly video: HTMLVideoElement;
  readonly onCode: (code: ReadCode) => void;
  /** A code that comes while nothing is read (`pause`); the camera tells of it as long as it sees it. */
  readonly onMissed?: (text: string) => void;
  readonly onState: (status: CameraStatus) => void;
  /** Every picture that was decoded, also those without a code. For measuring. */
  readonly onFrame?: (frame: DecodedFrame) => void;
  /** The back camera by default; a kiosk uses the front camera. */
  readonly facing?: Facing;
  readonly memory?: Memory | null;
}

export interface Reader {
  readonly status: CameraStatus;
  /** Starts the camera, or tries again. The keyboard of a wedge is heard from the beginning. */
  start(): void;
  /** Stops the camera. */
  stop(): void;
  /**
   * While something else is asked of who holds the device, nothing is read, but the camera goes on. A code that is held all the while is
   * not read again; one that came in the meantime is read afterwards.
   */
  pause(paused: boolean): void;
  choose(camera: string): void;
  face(facing: Facing): void;
  light(on: boolean): Promise<void>;
  /** `tap` is in pixels of the video element, from its upper left corner. */
  focusAt(tap: Point): Promise<void>;
  /** Ends everything. */
  close(): void;
}

/** A camera that runs but shows no new picture for this long is started anew. */
const FROZEN_MS = 5000;

export function createReader({ video, onCode, onMissed, onState, onFrame, facing, memory }: ReaderParts): Reader {
  const ended = new AbortController();
  const holding = new Holding();
  let paused = false;

  const frames = new Frames(video, startWorker, (frame) => {
    onFrame?.(frame);
    const text = holding.see(frame.codes, frame.at, paused);
    if (text !== null) onCode({ text, by: 'camera', otherwise: [] });
    const missed = paused ? frame.codes.find((one) => !holding.holds(one.text)) : undefined;
    if (missed !== undefined) onMissed?.(missed.text);
  });
  const camera = new Camera({
    ...{ video, facing: facing ?? 'environment', memory: memory === undefined ? ownMemory() : memory },
    onStatus: (status) => {
      if (status.state === 'running') frames.start();
      else frames.stop();
      onState(status);
    },
  });
  listenToWedge(window, (typed) => (paused ? onMissed?.(typed.text) : onCode({ ...typed, by: 'wedge' })), ended.signal);
  const watch = setInterval(() => {
    if (camera.status.state === 'running' && performance.now() - frames.latest > FROZEN_MS) camera.restart();
  }, FROZEN_MS / 2);

  return {
    get status() {
      return camera.status;
    },
    start: () => camera.start(),
    stop: () => camera.stop(),
    pause: (now) => {
      paused = now;
    },
    choose: (id) => camera.choose(id),
    face: (way) => camera.face(way),
    light: (on) => camera.light(on),
    focusAt: (tap) => camera.focusAt(tap),
    close: () => {
      clearInterval(watch);
      ended.abort();
      camera.close();
      frames.close();
    },
  };
}

const startWorker = (): Worker => new Worker(new URL('./decoder-worker.ts', import.meta.url), { type: 'module' });

/** Browsers that keep nothing (a setting, or a private window) throw when they are asked for their storage. */
function ownMemory(): Memory | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
