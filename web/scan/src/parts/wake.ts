/** Keeps the screen on while somebody scans. The system takes the lock back when the page is hidden, so the app requests it again. */
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
      // The system refuses the lock when the battery is low. The app requests it again when the page is visible again.
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
