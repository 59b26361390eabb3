/** What a message or a state is like. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent';
