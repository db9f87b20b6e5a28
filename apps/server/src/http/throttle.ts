import { type Db, prepared } from '../db/client.ts'
import { AppError } from './errors.ts'

const HIT = `
  insert into throttles as t (key, count, resets_at) values ($1, 1, now() + make_interval(secs => $2))
  on conflict (key) do update set
    count = case when t.resets_at <= now() then 1 else t.count + 1 end,
    resets_at = case when t.resets_at <= now() then now() + make_interval(secs => $2) else t.resets_at end
  returning count, ceil(extract(epoch from resets_at - now()))::int as wait`

/** Counts an attempt, and refuses it once there were more than `limit` in the window. Runs outside the caller's transaction: a refused attempt counts too. */
export async function throttle(db: Db, key: string, limit: number, seconds: number) {
  const { rows } = await prepared<{ count: number; wait: number }>(db, 'throttle', HIT, [key, seconds])
  const row = rows[0]
  if (row && row.count > limit) throw new AppError('throttled', { retryAfter: Math.max(1, row.wait) })
}

/** A success does not count. */
export const forgive = (db: Db, key: string) =>
  prepared(db, 'forgive', 'update throttles set count = greatest(count - 1, 0) where key = $1', [key])

export const clearThrottle = (db: Db, key: string) =>
  prepared(db, 'unthrottle', 'delete from throttles where key = $1', [key])
