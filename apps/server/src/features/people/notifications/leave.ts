import { NotificationCategory } from '@voisol/contract/notifications'
import { Id } from '@voisol/contract/primitives'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'
import { buildPublicUrl } from '../mail/mail.ts'
import { saveNotificationPreferences } from './preferences.ts'

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
