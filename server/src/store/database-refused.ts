/** Its message says in one line what is wrong with the database and what to do. It is shown to the operator. */
export class DatabaseRefused extends Error {}
