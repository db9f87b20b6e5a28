import { type Db, queryPrepared } from '../db/client.ts'
import { AppError } from './errors.ts'

/**
 * A window that ends later than a whole window from now was started before the clock was set back. One minute more,
 * since two simultaneous attempts may be handled in the other order.
 */
const IS_WINDOW_OVER = `t.resets_at not between now() and now() + make_interval(secs => $2 + 60)`
const COUNT_ATTEMPT_QUERY = `
  insert into throttles as t (key, count, resets_at) values ($1, 1, now() + make_interval(secs => $2))
  on conflict (key) do update set
    count = case when ${IS_WINDOW_OVER} then 1 else t.count + 1 end,
    resets_at = case when ${IS_WINDOW_OVER} then now() + make_interval(secs => $2) else t.resets_at end
  returning count, ceil(extract(epoch from resets_at - now()))::int as wait`

/**
 * Counts an attempt, and refuses it beyond `limit` in the window. Runs outside the caller's transaction, so that
 * refused attempts count too.
 */
export async function throttle(db: Db, key: string, limit: number, seconds: number) {
  const { rows } = await queryPrepared<{ count: number; wait: number }>(db, 'throttle', COUNT_ATTEMPT_QUERY, [
    key,
    seconds,
  ])
  const row = rows[0]
  if (row && row.count > limit) throw new AppError('throttled', { retryAfter: Math.max(1, row.wait) })
}

/** A success does not count, nor do the attempts that led to it. */
export const refundAttempts = (db: Db, key: string, attempts = 1) =>
  queryPrepared(db, 'forgive', 'update throttles set count = greatest(count - $2::int, 0) where key = $1', [
    key,
    attempts,
  ])

const CLEAR = 'delete from throttles where key = $1 returning key, count'
const CLEAR_ALL = 'delete from throttles where starts_with(key, $1) returning key, count'
type AttemptCount = { key: string; count: number }

/** Returns how many attempts there had been. */
export const clearThrottle = async (db: Db, key: string): Promise<number> =>
  (await queryPrepared<AttemptCount>(db, 'unthrottle', CLEAR, [key])).rows[0]?.count ?? 0

export const clearThrottles = async (db: Db, start: string): Promise<AttemptCount[]> =>
  (await queryPrepared<AttemptCount>(db, 'unthrottle-all', CLEAR_ALL, [start])).rows
