/** A wrong setting. The message says in one line which setting is wrong and what would be right, and the start ends with it. */
export class ConfigError extends Error {}
