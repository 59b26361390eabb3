import { runCommandLine } from './run.ts';

/** The operator's command line. */
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
// A connection to a server that hangs would keep the process alive.
setTimeout(() => process.exit(), 1_000).unref();
