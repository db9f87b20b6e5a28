/**
 * Errors that the test suite measures on three real plants, in percent of their power: issued the day before, refitted
 * each week from 1 March 2023, over March and April. Public pages show them; `acceptance.test.ts` checks them.
 */
export const MEASURED_ACCURACY = [
  { name: 'A', error: 4.3, persistence: 7.48, coverage: 80.3 },
  { name: 'B', error: 3.87, persistence: 4.89, coverage: 80.4 },
  { name: 'C', error: 3.59, persistence: 5.44, coverage: 80.0 },
] as const
