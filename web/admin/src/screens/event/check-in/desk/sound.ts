let context: AudioContext | undefined;

/** One high note for whoever may go in, two low ones for whoever may not. */
export function beep(admitted: boolean): void {
  try {
    context ??= new AudioContext();
    if (admitted) note(context, 880, 0, 0.12);
    else for (const at of [0, 0.2]) note(context, 220, at, 0.16);
  } catch {
    // A browser without sound shows the answer all the same.
  }
}

function note(audio: AudioContext, pitch: number, after: number, length: number): void {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  const start = audio.currentTime + after;
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(0.2, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}
