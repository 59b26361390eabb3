#!/usr/bin/env node
// The health check of the container: whether the server answers. A worker answers at METRICS_PORT; without one it listens on no port, and is
// healthy as long as it runs.
const { ROLES = '', PORT = '3000', METRICS_PORT = '' } = process.env;
const roles = ROLES.split(',').map((role) => role.trim());
const port = ROLES.trim() === '' || roles.includes('api') ? PORT : METRICS_PORT;
if (port !== '') {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
    () => null,
  );
  process.exitCode = answer?.ok ? 0 : 1;
}
