export default {
  title: 'Door',
  points: 'Check-in points',
  point: '{@Check_in_point}',
  devices: 'Devices',
  live: 'Live',
  checkIns: 'Check-ins',
  reconciliation: 'Reconciliation',
  attendance: 'Attendance',
  test: 'Test mode',
} as const;
