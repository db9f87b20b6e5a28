import { type SQL, sql } from 'drizzle-orm'

/**
 * Whether a point makes its holder a consumer or a producer, for this table or alias. A battery does neither: it
 * returns what it took, and counts neither as consumption nor as production.
 */
export const consumesSql = (point: SQL) => sql`(${point}.direction = 'consumption' and not ${point}.storage)`
export const producesSql = (point: SQL) => sql`(${point}.direction = 'production' and not ${point}.storage)`
