import { sql } from 'drizzle-orm'

/**
 * Ends an insert from arrays: Citus would forward the rows by COPY, which row security refuses; with a returning clause
 * it forwards inserts, and counts the rows written.
 */
export const RETURNING_ONE = sql`returning 1`
