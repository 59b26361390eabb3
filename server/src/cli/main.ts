import { runCommandLine } from './run.ts';

/** The operator's command line. */
process.exitCode = await runCommandLine(process.argv.slice(2), process.env);
