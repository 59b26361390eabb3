/** What a message or a state is like. The accent is no tone: it is for what one can do. */
export type Tone = 'good' | 'warn' | 'bad';
