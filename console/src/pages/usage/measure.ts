/** What the chart shows of a day. */
export type Measure = 'calls' | 'time';
