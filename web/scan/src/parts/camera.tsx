import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type CameraStatus, createReader, type Facing, type ReadCode, type Reader } from '../read/index.ts';
import { t } from './words.ts';

/** There is one camera view at a time. */
export const camera = signal<CameraStatus | null>(null);
/** Whether there is a picture, or will be in a moment. */
export const seesTickets = computed(() => ['off', 'starting', 'running'].includes(camera.value?.state ?? 'off'));
const reader = signal<Reader | null>(null);
export const theReader = (): Reader | null => reader.value;

interface Props {
  readonly onCode: (text: string, otherwise: readonly string[]) => void;
  readonly onMissed?: (text: string) => void;
  /** While it is false, the camera runs on and nothing is read. */
  readonly listening: boolean;
  readonly facing?: Facing;
}

/** The picture of the camera, and what is in the way if there is none. Scanners that type are heard with or without it. */
export function Camera({ onCode, onMissed, listening, facing = 'environment' }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(onCode);
  latest.current = onCode;
  const latestMissed = useRef(onMissed);
  latestMissed.current = onMissed;
  // Before the screen is painted: whoever sees it may scan.
  useLayoutEffect(() => {
    const newReader = createReader({
      video: video.current!,
      facing,
      onCode: ({ text, otherwise }: ReadCode) => latest.current(text, otherwise),
      onMissed: (text) => latestMissed.current?.(text),
      onState: (now) => {
        camera.value = now;
      },
    });
    reader.value = newReader;
    newReader.start();
    return () => {
      newReader.close();
      reader.value = null;
      camera.value = null;
    };
  }, [facing]);
  useLayoutEffect(() => reader.value?.pause(!listening), [listening, reader.value]);
  const now = camera.value;
  return (
    <div class="camera" data-camera={now?.state ?? 'off'}>
      <video
        ref={video}
        class={now?.mirrored === true ? 'mirrored' : ''}
        aria-label={t('cameraPicture')}
        playsInline
        muted
        onPointerDown={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          void reader.value?.focusAt({ x: event.clientX - box.left, y: event.clientY - box.top });
        }}
      />
      {now?.state === 'running' ? (
        <span class="camera-frame" aria-hidden="true" />
      ) : (
        <Trouble state={now?.state ?? 'off'} />
      )}
    </div>
  );
}

function Trouble({ state }: { state: CameraStatus['state'] }) {
  if (state === 'off' || state === 'starting' || state === 'running')
    return <p class="camera-trouble">{state === 'starting' && t('cameraStarting')}</p>;
  return (
    <div class="camera-trouble">
      <p>{t(`camera.${state}`)}</p>
      {state !== 'none' && state !== 'insecure' && (
        <button type="button" class="small" onClick={() => reader.value?.start()}>
          {t('tryAgain')}
        </button>
      )}
    </div>
  );
}
