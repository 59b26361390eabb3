#!/usr/bin/env node
// The health check of the container: whether the server answers. A worker listens on no port; it is healthy as long as it runs.
const { ROLES = '', PORT = '3000' } = process.env;
const roles = ROLES.split(',').map((role) => role.trim());
if (ROLES.trim() === '' || roles.includes('api')) {
  const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
    () => null,
  );
  process.exitCode = answer?.ok ? 0 : 1;
}
