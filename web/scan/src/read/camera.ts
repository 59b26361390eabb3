import type { Point, Size } from './types.ts';
import { tappedPoint } from './view.ts';

/**
 * How the camera is doing.
 *
 *   off       nobody wants it, or the page is hidden
 *   starting  the browser is asked for it; it may be asking the person
 *   running   its picture is in the video
 *   denied    the person, or whoever manages the device, does not allow it
 *   none      the device has no camera
 *   insecure  browsers give cameras only to pages that came by https
 *   busy      another app or page has it; tried again by itself
 *   failed    anything else; tried again by itself
 */
export type CameraState = 'off' | 'starting' | 'running' | 'denied' | 'none' | 'insecure' | 'busy' | 'failed';

/** `environment` is the camera at the back, `user` the one that looks at who holds the device. */
export type Facing = 'environment' | 'user';

export interface CameraStatus {
  readonly state: CameraState;
  /** The id of the camera that runs. */
  readonly camera: string | null;
  /** The cameras that can be chosen. Browsers tell their names only once the camera was allowed. */
  readonly cameras: readonly { readonly id: string; readonly name: string }[];
  /** The camera looks at who holds the device, who expects to be seen as in a mirror. Only the screen mirrors; codes are read as they are. */
  readonly mirrored: boolean;
  /** Null: this camera has no light. */
  readonly torch: boolean | null;
  /** Whether tapping on the picture focuses there. */
  readonly focusable: boolean;
}

/** Where the choice of a camera is kept; `localStorage` is one. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface CameraParts {
  readonly video: HTMLVideoElement;
  readonly facing: Facing;
  readonly memory: Memory | null;
  readonly onStatus: (status: CameraStatus) => void;
}

/** What cameras can do beyond what the types of the browser know. */
interface Abilities extends MediaTrackCapabilities {
  readonly torch?: boolean;
  readonly focusMode?: readonly string[];
  readonly pointsOfInterest?: unknown;
}
/** Wishes that a camera follows if it can. */
interface Wishes extends MediaTrackConstraintSet {
  readonly torch?: boolean;
  readonly focusMode?: string;
  readonly pointsOfInterest?: readonly Point[];
}

/** Cameras that are busy or failed are tried again after this time. */
export const AGAIN_MS = 3000;
/** After a tap, the camera focuses by itself again. */
export const FOCUS_MS = 4000;
const OFF: CameraStatus = {
  ...{ state: 'off', camera: null, cameras: [], mirrored: false, torch: null, focusable: false },
};

/** Shows a camera in a video while it is wanted and the page is seen, and says how it is doing. */
export class Camera {
  readonly #parts: CameraParts;
  readonly #ended = new AbortController();
  #facing: Facing;
  #chosen: string | null = null;
  #status: CameraStatus = OFF;
  #isWanted = false;
  #lit = false;
  #stream: MediaStream | null = null;
  /** Counts what was begun, so that what ends late can tell that it is no longer wanted. */
  #turn = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #refocus: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: CameraParts) {
    this.#parts = parts;
    this.#facing = parts.facing;
    const { signal } = this.#ended;
    document.addEventListener('visibilitychange', () => this.#follow(), { signal });
    // Pages that return from the browser's cache were not told that they are seen again.
    addEventListener('pageshow', () => this.#follow(), { signal });
    navigator.mediaDevices?.addEventListener('devicechange', () => void this.#devicesChanged(), { signal });
    void this.#watchPermission();
  }

  get status(): CameraStatus {
    return this.#status;
  }

  /** Also tries again at once if it failed. */
  start(): void {
    this.#isWanted = true;
    if (this.#status.state !== 'running' && this.#status.state !== 'starting') this.#follow(true);
  }

  stop(): void {
    this.#isWanted = false;
    this.#follow();
  }

  close(): void {
    this.stop();
    this.#ended.abort();
  }

  /** Begins anew, for a camera that froze. */
  restart(): void {
    if (!this.#isWanted || document.hidden) return;
    this.#release();
    this.#follow(true);
  }

  /** The choice is kept for the next time. */
  choose(camera: string): void {
    try {
      this.#parts.memory?.setItem(this.#key(), camera);
    } catch {
      // A full storage keeps nothing. Scans in the queue matter more than a choice.
    }
    this.#chosen = camera;
    this.restart();
  }

  face(facing: Facing): void {
    if (facing === this.#facing) return;
    this.#facing = facing;
    this.#chosen = null;
    this.restart();
  }

  async light(on: boolean): Promise<void> {
    this.#lit = on;
    const track = this.#track();
    if (track === null || this.#status.torch === null) return;
    await wish(track, { torch: on });
    this.#tell({ torch: on });
  }

  /** Focuses on what is at this point of the video element, in its own pixels. */
  async focusAt(tap: Point): Promise<void> {
    const track = this.#track();
    if (track === null || !this.#status.focusable) return;
    const { video } = this.#parts;
    const element: Size = { width: video.clientWidth, height: video.clientHeight };
    const picture: Size = { width: video.videoWidth, height: video.videoHeight };
    const point = tappedPoint(tap, element, picture, this.#status.mirrored);
    const modes = abilitiesOf(track).focusMode ?? [];
    clearTimeout(this.#refocus);
    await wish(track, {
      pointsOfInterest: [point],
      ...(modes.includes('single-shot') && { focusMode: 'single-shot' }),
    });
    if (modes.includes('continuous'))
      this.#refocus = setTimeout(() => void wish(track, { focusMode: 'continuous' }), FOCUS_MS);
  }

  #key(): string {
    return `turnout.camera.${this.#facing}`;
  }

  #track(): MediaStreamTrack | null {
    return this.#stream?.getVideoTracks()[0] ?? null;
  }

  #tell(change: Partial<CameraStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#parts.onStatus(this.#status);
  }

  /** Starts or stops, as it should be now. */
  #follow(again = false): void {
    if (!this.#isWanted || document.hidden) {
      this.#release();
      if (this.#status.state !== 'off') this.#tell({ ...OFF, cameras: this.#status.cameras });
    } else if (again || this.#status.state === 'off') void this.#open();
  }

  #release(): void {
    this.#turn += 1;
    clearTimeout(this.#again);
    clearTimeout(this.#refocus);
    const stream = this.#stream;
    this.#stream = null;
    for (const track of stream?.getTracks() ?? []) track.stop();
    if (stream !== null) this.#parts.video.srcObject = null;
  }

  async #open(): Promise<void> {
    this.#release();
    const turn = this.#turn;
    if (!isSecureContext) return this.#tell({ ...OFF, state: 'insecure' });
    if (navigator.mediaDevices === undefined) return this.#tell({ ...OFF, state: 'none' });
    this.#tell({ ...OFF, cameras: this.#status.cameras, state: 'starting' });
    let stream: MediaStream | null = null;
    try {
      stream = await this.#ask();
      if (turn === this.#turn) await this.#show(stream);
    } catch (error) {
      for (const track of stream?.getTracks() ?? []) track.stop();
      if (turn === this.#turn) this.#failed(error);
      return;
    }
    if (turn === this.#turn) return;
    // In the meantime the page was hidden, or another camera was chosen.
    for (const track of stream.getTracks()) track.stop();
  }

  /** The camera that was chosen; if it is gone, one that looks the right way. */
  async #ask(): Promise<MediaStream> {
    const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
    const chosen = this.#chosen ?? this.#parts.memory?.getItem(this.#key()) ?? null;
    if (chosen !== null) {
      try {
        return await getVideo({ ...size, deviceId: { exact: chosen } });
      } catch (error) {
        if (stateAfter(error) !== 'none') throw error;
        this.#chosen = null;
        this.#parts.memory?.removeItem(this.#key());
      }
    }
    return getVideo({ ...size, facingMode: { ideal: this.#facing } });
  }

  async #show(stream: MediaStream): Promise<void> {
    const turn = this.#turn;
    const { video } = this.#parts;
    const track = stream.getVideoTracks()[0]!;
    this.#stream = stream;
    track.addEventListener('ended', () => turn === this.#turn && this.#follow(true));
    // iPhones show a video that lacks these in full screen, or not at all.
    Object.assign(video, { muted: true, playsInline: true, autoplay: true, srcObject: stream });
    await video.play();
    if (turn !== this.#turn) return;
    const { torch, focusMode, pointsOfInterest } = abilitiesOf(track);
    const settings = track.getSettings();
    const camera = settings.deviceId ?? null;
    const torches = torch === true ? this.#lit : null;
    const focusable = pointsOfInterest !== undefined || focusMode?.includes('single-shot') === true;
    const mirrored = (settings.facingMode ?? this.#facing) === 'user';
    this.#tell({ state: 'running', camera, mirrored, torch: torches, focusable });
    if (focusMode?.includes('continuous')) await wish(track, { focusMode: 'continuous' });
    if (torches === true) await wish(track, { torch: true });
    const cameras = await listCameras();
    if (turn === this.#turn) this.#tell({ cameras });
  }

  #failed(error: unknown): void {
    this.#release();
    const state = stateAfter(error);
    this.#tell({ ...OFF, cameras: this.#status.cameras, state });
    if (state === 'busy' || state === 'failed') this.#again = setTimeout(() => this.#follow(true), AGAIN_MS);
  }

  async #devicesChanged(): Promise<void> {
    if (this.#status.state === 'none') this.#follow(true);
    else if (this.#status.state === 'running') this.#tell({ cameras: await listCameras() });
  }

  /** Where browsers tell, the camera starts as soon as somebody allows it in the settings. */
  async #watchPermission(): Promise<void> {
    try {
      const permission = await navigator.permissions.query({ name: 'camera' as PermissionName });
      const changed = () => {
        if (this.#status.state === 'denied' && permission.state !== 'denied') this.#follow(true);
      };
      permission.addEventListener('change', changed, { signal: this.#ended.signal });
    } catch {
      // Firefox does not know this permission. There, somebody has to tap to try again.
    }
  }
}

const getVideo = (video: MediaTrackConstraints): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: false, video });

// Safari before 17 and Firefox before 132 do not say what a camera can do.
const abilitiesOf = (track: MediaStreamTrack): Abilities => (track.getCapabilities?.() ?? {}) as Abilities;

/** A camera that cannot do what it says it can still shows its picture. */
async function wish(track: MediaStreamTrack, wishes: Wishes): Promise<void> {
  try {
    await track.applyConstraints({ advanced: [wishes as MediaTrackConstraintSet] });
  } catch {
    // Nothing is lost.
  }
}

async function listCameras(): Promise<CameraStatus['cameras']> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

/** The state that follows when a camera could not be had. */
export function stateAfter(error: unknown): CameraState {
  switch (error instanceof Error || error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'DevicesNotFoundError':
    case 'OverconstrainedError':
      return 'none';
    case 'NotReadableError':
    case 'TrackStartError':
      return 'busy';
    default:
      return 'failed';
  }
}
