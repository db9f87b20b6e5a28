import { sql } from 'drizzle-orm'

/**
 * Ends an insert of rows that come from arrays: a distributed PostgreSQL would hand them on by COPY, which row-level
 * security refuses; those that are told of it inserts, and then counts those it wrote.
 */
export const RETURNING_ONE = sql`returning 1`
