import { type SQL, sql } from 'drizzle-orm'

/**
 * What a point makes of its holder, in this table or alias. A battery makes nobody a consumer or a producer: it gives back what it took,
 * and is neither in what was consumed nor in what was produced.
 */
export const consumesSql = (point: SQL) => sql`(${point}.direction = 'consumption' and not ${point}.storage)`
export const producesSql = (point: SQL) => sql`(${point}.direction = 'production' and not ${point}.storage)`
