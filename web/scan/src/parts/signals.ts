/** What is heard and felt: three sounds that differ in pitch, number and length, so that nobody has to look. */
import { computed, signal } from '@preact/signals';
import type { Tone } from '../engine/types.ts';
import { settings } from './settings.ts';

export type Cue = 'good' | 'look' | 'stop';
export const cueOf = (tone: Tone): Cue => (tone === 'success' ? 'good' : tone === 'danger' ? 'stop' : 'look');

interface Note {
  readonly from: number;
  readonly for: number;
  readonly hertz: number;
  readonly shape: OscillatorType;
}
const SOUNDS: Readonly<Record<Cue, readonly Note[]>> = {
  good: [
    { from: 0, for: 0.09, hertz: 880, shape: 'sine' },
    { from: 0.09, for: 0.14, hertz: 1320, shape: 'sine' },
  ],
  look: [
    { from: 0, for: 0.14, hertz: 520, shape: 'triangle' },
    { from: 0.2, for: 0.14, hertz: 520, shape: 'triangle' },
  ],
  stop: [{ from: 0, for: 0.55, hertz: 170, shape: 'sawtooth' }],
};
const SHAKES: Readonly<Record<Cue, number[]>> = { good: [50], look: [100, 80, 100], stop: [400] };

let audio: AudioContext | null = null;

const touched = signal(false);
/**
 * Browsers let a page be heard and felt only after somebody has touched it, so a scanner that was opened again by itself would stay silent,
 * and nobody would know why. A phone call takes the sound away as well.
 */
export const touchNeeded = computed(() => !touched.value && (settings.value.sound || settings.value.vibration));

export function beginSounding(): void {
  // A finger counts as a touch only when it is lifted, a mouse when it is pressed.
  for (const kind of ['pointerdown', 'pointerup', 'keydown']) addEventListener(kind, allowSound);
  // If the line that asks for it went before the click is over, what is below would move up under the finger.
  for (const kind of ['click', 'keydown']) {
    addEventListener(kind, ({ isTrusted }) => {
      if (isTrusted) touched.value = true;
    });
  }
}

function allowSound({ isTrusted }: Event): void {
  if (!isTrusted) return;
  try {
    audio ??= listened(new AudioContext());
    if (audio.state !== 'running') void audio.resume().catch(() => undefined);
  } catch {
    // No sound here; colour, sign and word are enough.
  }
}

/** Asks for a touch again if the sound is taken away after it was there. */
function listened(context: AudioContext): AudioContext {
  let ran = false;
  context.onstatechange = () => {
    if (context.state === 'running') ran = true;
    else if (ran) touched.value = false;
  };
  return context;
}

export function give(cue: Cue): void {
  // Browsers complain about a page that nobody has touched yet.
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (settings.value.vibration && touched) navigator.vibrate?.(SHAKES[cue]);
  if (!settings.value.sound || audio === null || audio.state !== 'running') return;
  for (const note of SOUNDS[cue]) play(audio, note);
}

function play(on: AudioContext, { from, for: length, hertz, shape }: Note): void {
  const begin = on.currentTime + from;
  const tone = new OscillatorNode(on, { type: shape, frequency: hertz });
  // Without fading in and out it would click.
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(0.4, begin + 0.01);
  volume.gain.setValueAtTime(0.4, begin + length - 0.03);
  volume.gain.linearRampToValueAtTime(0, begin + length);
  tone.connect(volume).connect(on.destination);
  tone.start(begin);
  tone.stop(begin + length);
}
