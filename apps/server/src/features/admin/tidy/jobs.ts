import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { IS_SESSION_OVER } from '../../../http/session.ts'
import { defineJob } from '../../../jobs/job.ts'

/** Removes expired technical data (sessions, links, counters, idempotency records) and old messages of visitors. */
export const tidyJobs = {
  tidy: defineJob({
    input: z.object({}),
    cron: '17 3 * * *',
    async run({ db }) {
      await db.execute(sql`delete from sessions s where ${sql.raw(IS_SESSION_OVER)}`)
      await db.execute(sql`delete from password_resets where expires_at < now() - interval '7 days'`)
      await db.execute(sql`delete from passkey_challenges where expires_at < now()`)
      await db.execute(sql`delete from portal_views where expires_at < now()`)
      await db.execute(sql`delete from throttles where resets_at < now()`)
      await db.execute(sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`)
      // Results of bulk actions contain names: they are kept as long as somebody may ask about them.
      await db.execute(sql`delete from bulk_runs where created_at < now() - interval '90 days'`)
      await db.execute(sql`delete from status_samples where at < now() - interval '100 days'`)
      await db.execute(sql`delete from health_samples where at < now() - interval '30 days'`)
      // Addresses that were never confirmed or that unsubscribed are deleted.
      await db.execute(sql`delete from status_subscribers where state <> 'confirmed'
        and changed_at < now() - interval '30 days'`)
      // Rule deliveries are removed after a while, except failed ones, which stay until somebody settles them.
      await db.execute(sql`delete from event_sums where hour < now() - interval '31 days'`)
      await db.execute(
        sql`delete from flow_deliveries where status <> 'failed' and created_at < now() - interval '90 days'`,
      )
      await db.execute(sql`delete from copy_runs where started_at < now() - interval '400 days'`)
      // Raw answers of the distributor are kept longer than the thirteen months that a dispute may cover.
      await db.execute(sql`delete from enedis_answers where received_at < now() - interval '400 days'`)
      // Sync tasks, and settled errors, are kept as long.
      await db.execute(sql`delete from sync_tasks where finished_at < now() - interval '400 days'`)
      await db.execute(sql`delete from sync_errors where handled_at is not null
        and greatest(last_at, handled_at) < now() - interval '400 days'`)
      // Messages of visitors are kept for three years, newsletter subscriptions until they are cancelled.
      await db.execute(sql`delete from bookings where starts_at < now() - interval '3 years'`)
      await db.execute(sql`delete from requests where created_at < now() - interval '3 years'
        and not (kind = 'newsletter' and subscription = 'confirmed')`)
    },
  }),
}
