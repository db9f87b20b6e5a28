import { NotificationCategory } from '@voisol/contract/notifications'
import { Id } from '@voisol/contract/primitives'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { isStamped, type Secrets } from '../../../secrets.ts'
import { publicUrl } from '../mail/mail.ts'
import { savePreferences } from './preferences.ts'

type Category = z.infer<typeof NotificationCategory>
const USE = 'leave'
/** What somebody asked for or may do without. What concerns an account, a bill or a question they asked is theirs to get. */
const LEFT: ReadonlySet<Category> = new Set(['hours', 'month', 'operations', 'distributor', 'system'])
export const isLeft = (category: Category) => LEFT.has(category)

const textOf = (userId: string, category: string) => `${userId} ${category}`
const stampOf = (secrets: Secrets, userId: string, category: string) => secrets.stamp(USE, textOf(userId, category))

/** Where a mail program posts that its reader wants no more of these (RFC 8058). */
export const leaveUrl = ({ secrets, config }: Pick<Deps, 'secrets' | 'config'>, userId: string, category: Category) =>
  publicUrl(config, `/api/notifications/unsubscribe/${userId}.${category}.${stampOf(secrets, userId, category)}`)

/** Whoever holds the key ends these messages and does nothing else; a key that is not ours does nothing. */
export async function leave(tx: Db, secrets: Secrets, key: string): Promise<void> {
  const [userId = '', category = '', stamp = ''] = key.split('.')
  const known = NotificationCategory.safeParse(category)
  if (!known.success || !Id.safeParse(userId).success || !isLeft(known.data)) return
  if (!isStamped(secrets.stamps(USE, textOf(userId, known.data)), stamp)) return
  await savePreferences(tx, userId, [{ category: known.data, channel: 'mail', enabled: false }])
}
