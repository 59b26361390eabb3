const BROWSERS: readonly [part: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [part: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'Mac'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** A first name for a passkey made here, such as `Chrome, Windows`. The person can change it. */
export function deviceName(agent = navigator.userAgent): string {
  const find = (list: typeof BROWSERS) => list.find(([part]) => part.test(agent))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter((part) => part !== undefined).join(', ') || 'Passkey';
}
