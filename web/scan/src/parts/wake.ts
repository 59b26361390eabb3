/** Keeps the screen on while somebody scans. The system takes the lock back when the page is hidden, so it is asked for again. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let ended = false;
  const ask = async () => {
    if (ended || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    try {
      const got = await navigator.wakeLock.request('screen');
      if (ended) return void got.release();
      lock = got;
      got.addEventListener('release', () => {
        if (lock === got) lock = null;
      });
    } catch {
      // A low battery refuses it. It is asked for again when the page is seen again.
    }
  };
  const again = () => {
    if (lock === null) void ask();
  };
  void ask();
  document.addEventListener('visibilitychange', again);
  document.addEventListener('pointerdown', again);
  return () => {
    ended = true;
    document.removeEventListener('visibilitychange', again);
    document.removeEventListener('pointerdown', again);
    void lock?.release();
  };
}
