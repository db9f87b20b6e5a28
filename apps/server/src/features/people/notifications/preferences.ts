import { NotificationCategory, NotificationChannel, type NotificationPreference } from '@voisol/contract/notifications'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { notificationPreferences } from '../../../db/schema/index.ts'

type Preference = z.output<typeof NotificationPreference>
type Event = { category: Preference['category']; priority: string; mail?: object }
/** Who switched what off: `user category channel`. */
export type Off = Set<string>

const offKey = (userId: string, category: string, channel: string) => `${userId} ${category} ${channel}`
/** What comes every evening is for those who asked for it; by whichever way they asked. */
const ON_DEMAND: ReadonlySet<string> = new Set(['hours'] satisfies Preference['category'][])
const isUsual = ({ category, enabled }: Preference) => enabled !== ON_DEMAND.has(category)
/** Everything else is on until its owner says otherwise, and an alert about the account is always shown in the app. */
const locked = ({ category, channel }: Omit<Preference, 'enabled'>) => category === 'security' && channel === 'app'

export async function switchedOff(db: Db, userIds: string[]): Promise<Off> {
  if (!userIds.length) return new Set()
  const rows = await db.select().from(notificationPreferences).where(inArray(notificationPreferences.userId, userIds))
  const on = new Set<string>()
  const off = new Set<string>()
  for (const row of rows) (row.enabled ? on : off).add(offKey(row.userId, row.category, row.channel))
  for (const userId of userIds)
    for (const category of ON_DEMAND)
      for (const channel of NotificationChannel.options) {
        const key = offKey(userId, category, channel)
        if (!on.has(key)) off.add(key)
      }
  return off
}

export const showsInApp = (off: Off, userId: string, { category }: Event) =>
  locked({ category, channel: 'app' }) || !off.has(offKey(userId, category, 'app'))

/** By mail goes what cannot wait: security, what is critical or high; what was asked for by mail, and what was written for one. */
export const goesByMail = (off: Off, userId: string, { category, priority, mail }: Event) =>
  (category === 'security' ||
    ON_DEMAND.has(category) ||
    priority === 'critical' ||
    priority === 'high' ||
    Boolean(mail)) &&
  !off.has(offKey(userId, category, 'mail'))

/** Of those people, who has not switched off mails of a kind. */
export async function mayMail(db: Db, userIds: string[], category: Preference['category']) {
  const off = await switchedOff(db, userIds)
  return (userId: string) => !off.has(offKey(userId, category, 'mail'))
}

export async function readPreferences(db: Db, userId: string): Promise<Preference[]> {
  const off = await switchedOff(db, [userId])
  return NotificationCategory.options.flatMap((category) =>
    NotificationChannel.options.map((channel) => ({
      category,
      channel,
      enabled: locked({ category, channel }) || !off.has(offKey(userId, category, channel)),
    })),
  )
}

/** What is not named stays as it was. */
export async function savePreferences(tx: Db, userId: string, items: Preference[]) {
  for (const item of items) {
    const { category, channel } = item
    const own = and(
      eq(notificationPreferences.userId, userId),
      eq(notificationPreferences.category, category),
      eq(notificationPreferences.channel, channel),
    )
    if (isUsual(item) || locked(item)) await tx.delete(notificationPreferences).where(own)
    else
      await tx
        .insert(notificationPreferences)
        .values({ userId, category, channel, enabled: item.enabled })
        .onConflictDoNothing()
  }
}
