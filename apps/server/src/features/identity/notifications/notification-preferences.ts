import { NotificationCategory, NotificationChannel, type NotificationPreference } from '@voisol/contract/notifications'
import { Id } from '@voisol/contract/primitives'
import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { notificationPreferences } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'
import { buildPublicUrl } from '../mail/index.ts'

type Preference = z.output<typeof NotificationPreference>
type DeliveryCriteria = { category: Preference['category']; priority: string; mail?: object }
/** Disabled channels as `user category channel`. */
export type DisabledChannels = Set<string>

const getChannelKey = (userId: string, category: string, channel: string) => `${userId} ${category} ${channel}`
/** Optional categories, off until the user enables one of their channels. */
const OPT_IN_CATEGORIES: ReadonlySet<string> = new Set(['hours'] satisfies Preference['category'][])
const isDefaultPreference = ({ category, enabled }: Preference) => enabled !== OPT_IN_CATEGORIES.has(category)
/** Every other channel is on by default, and security in the app cannot be switched off. */
const isLockedChannel = ({ category, channel }: Omit<Preference, 'enabled'>) =>
  category === 'security' && channel === 'app'

export async function loadDisabledChannels(db: Db, userIds: string[]): Promise<DisabledChannels> {
  if (!userIds.length) return new Set()
  const rows = await db.select().from(notificationPreferences).where(inArray(notificationPreferences.userId, userIds))
  const on = new Set<string>()
  const off = new Set<string>()
  for (const row of rows) (row.enabled ? on : off).add(getChannelKey(row.userId, row.category, row.channel))
  for (const userId of userIds)
    for (const category of OPT_IN_CATEGORIES)
      for (const channel of NotificationChannel.options) {
        const key = getChannelKey(userId, category, channel)
        if (!on.has(key)) off.add(key)
      }
  return off
}

export const isShownInApp = (off: DisabledChannels, userId: string, { category }: DeliveryCriteria) =>
  isLockedChannel({ category, channel: 'app' }) || !off.has(getChannelKey(userId, category, 'app'))

/**
 * Sent by mail: security, critical and high priorities, categories enabled by mail, and messages with their own mail
 * text.
 */
export const isSentByMail = (off: DisabledChannels, userId: string, { category, priority, mail }: DeliveryCriteria) =>
  (category === 'security' ||
    OPT_IN_CATEGORIES.has(category) ||
    priority === 'critical' ||
    priority === 'high' ||
    Boolean(mail)) &&
  !off.has(getChannelKey(userId, category, 'mail'))

/** Filters the users who have not switched off mails of a category. */
export async function loadMailFilter(db: Db, userIds: string[], category: Preference['category']) {
  const off = await loadDisabledChannels(db, userIds)
  return (userId: string) => !off.has(getChannelKey(userId, category, 'mail'))
}

export async function loadNotificationPreferences(db: Db, userId: string): Promise<Preference[]> {
  const off = await loadDisabledChannels(db, [userId])
  return NotificationCategory.options.flatMap((category) =>
    NotificationChannel.options.map((channel) => ({
      category,
      channel,
      enabled: isLockedChannel({ category, channel }) || !off.has(getChannelKey(userId, category, channel)),
    })),
  )
}

/** Preferences that are not listed stay unchanged. */
export async function saveNotificationPreferences(tx: Db, userId: string, items: Preference[]) {
  for (const item of items) {
    const { category, channel } = item
    const own = and(
      eq(notificationPreferences.userId, userId),
      eq(notificationPreferences.category, category),
      eq(notificationPreferences.channel, channel),
    )
    if (isDefaultPreference(item) || isLockedChannel(item)) await tx.delete(notificationPreferences).where(own)
    else
      await tx
        .insert(notificationPreferences)
        .values({ userId, category, channel, enabled: item.enabled })
        .onConflictDoNothing()
  }
}

type Category = z.infer<typeof NotificationCategory>
const STAMP_PURPOSE = 'leave'
/** Optional categories. Messages about an account, a bill or a question asked cannot be unsubscribed. */
const UNSUBSCRIBABLE_CATEGORIES: ReadonlySet<Category> = new Set([
  'hours',
  'month',
  'operations',
  'distributor',
  'system',
])
export const isUnsubscribable = (category: Category) => UNSUBSCRIBABLE_CATEGORIES.has(category)

const getStampText = (userId: string, category: string) => `${userId} ${category}`
const computeStamp = (secrets: Secrets, userId: string, category: string) =>
  secrets.stamp(STAMP_PURPOSE, getStampText(userId, category))

/** The URL to which a mail program posts a one-click unsubscribe (RFC 8058). */
export const buildNotificationUnsubscribeUrl = (
  { secrets, config }: Pick<Deps, 'secrets' | 'config'>,
  userId: string,
  category: Category,
) =>
  buildPublicUrl(
    config,
    `/api/notifications/unsubscribe/${userId}.${category}.${computeStamp(secrets, userId, category)}`,
  )

/** The key allows only this unsubscribe; an invalid key is silently ignored. */
export async function unsubscribeFromNotifications(tx: Db, secrets: Secrets, key: string): Promise<void> {
  const [userId = '', category = '', stamp = ''] = key.split('.')
  const known = NotificationCategory.safeParse(category)
  if (!known.success || !Id.safeParse(userId).success || !isUnsubscribable(known.data)) return
  if (!isValidStamp(secrets.stamps(STAMP_PURPOSE, getStampText(userId, known.data)), stamp)) return
  await saveNotificationPreferences(tx, userId, [{ category: known.data, channel: 'mail', enabled: false }])
}
