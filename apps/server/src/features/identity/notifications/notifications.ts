import type { NotificationCategory, NotificationPriority, NotificationType } from '@voisol/contract/notifications'
import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { notifications } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toStableId } from '../../../jobs/job.ts'
import {
  buildBrandUrl,
  buildMailImageParts,
  loadMailBrand,
  type MailImage,
  renderMail,
  sendMail,
} from '../mail/index.ts'
import {
  buildNotificationUnsubscribeUrl,
  type DisabledChannels,
  isSentByMail,
  isShownInApp,
  isUnsubscribable,
  loadDisabledChannels,
} from './notification-preferences.ts'
import { findRecipients, type Recipient, type RecipientFilter } from './recipients.ts'

/** A notification to send. `key` identifies the event: the same event is notified once. */
export type NotificationEvent = {
  companyId: number
  /** The members with a permission, limited to those with access to the operation; or the ids of members. */
  to: RecipientFilter | string[]
  category: z.infer<typeof NotificationCategory>
  type: z.infer<typeof NotificationType>
  priority: z.infer<typeof NotificationPriority>
  title: string
  message: string
  /** `url` is a path of the application. */
  action?: { label: string; url: string }
  dismissible?: boolean
  key: string
  /** When it happened, if notified later: the list is sorted by this time. */
  at?: Date
  /** The text of the mail, if it differs from the message, its image and its reply address. */
  mail?: { text: string; replyTo?: string; picture?: MailImage }
}

/** Notifies each recipient in the app and by mail according to their preferences, within the caller's transaction. */
export async function notify(tx: Db, deps: Pick<Deps, 'secrets' | 'config'>, event: NotificationEvent): Promise<void> {
  if (event.action) requireProductPath(event.action.url)
  await transaction(tx, async (tx) => {
    const recipients = await findRecipients(tx, event)
    const disabledChannels = await loadDisabledChannels(
      tx,
      recipients.map(({ id }) => id),
    )
    const notifiedIds = await insertNotifications(tx, event, recipients, disabledChannels)
    for (const recipient of recipients) {
      const repeated = isShownInApp(disabledChannels, recipient.id, event) && !notifiedIds.has(recipient.id)
      if (!repeated && isSentByMail(disabledChannels, recipient.id, event))
        await sendNotificationMail(tx, deps, event, recipient)
    }
  })
}

function requireProductPath(url: string) {
  const home = 'http://voisol.invalid'
  const own = /^\/(?![/\\])/.test(url) && URL.canParse(url, home) && new URL(url, home).origin === home
  if (!own) throw new Error(`a notification leads to a path of the product, not to ${url}`)
}

/** Inserts the notifications and returns the recipients who did not have it yet. */
async function insertNotifications(
  tx: Db,
  event: NotificationEvent,
  recipients: Recipient[],
  off: DisabledChannels,
): Promise<Set<string>> {
  const { companyId, category, type, priority, title, message, action, dismissible = true, key, at } = event
  const rows = recipients
    .filter(({ id }) => isShownInApp(off, id, event))
    .map(({ id: userId }) => ({
      companyId,
      userId,
      category,
      type,
      priority,
      title,
      message,
      isDismissible: dismissible,
      actionLabel: action?.label ?? null,
      actionUrl: action?.url ?? null,
      eventKey: key,
      ...(at && { createdAt: at }),
    }))
  if (!rows.length) return new Set()
  const added = await tx
    .insert(notifications)
    .values(rows)
    .onConflictDoNothing({ target: [notifications.companyId, notifications.userId, notifications.eventKey] })
    .returning({ userId: notifications.userId })
  return new Set(added.map(({ userId }) => userId))
}

type NotificationText = Pick<NotificationEvent, 'title' | 'message' | 'action' | 'mail'>

/** The notification as a mail with the branding of the company. */
export async function buildNotificationMail(
  db: Db,
  config: Config,
  companyId: number,
  words: NotificationText,
  leave?: string,
) {
  const { title, message, action, mail } = words
  const imageParts = mail?.picture && buildMailImageParts(mail.picture)
  const brand = await loadMailBrand(db, config, companyId)
  const content = renderMail({
    title,
    paragraphs: (mail?.text ?? message).split(/\n+/),
    ...(action && { action: { label: action.label, url: buildBrandUrl(config, brand, action.url) } }),
    picture: imageParts?.picture,
    footer: 'Vous recevez ce message selon vos préférences de notification, que vous pouvez changer dans Voisol.',
    leave,
    brand,
  })
  return { subject: title, ...content, ...(imageParts && { attachments: [imageParts.attachment] }) }
}

async function sendNotificationMail(
  tx: Db,
  { secrets, config }: Pick<Deps, 'secrets' | 'config'>,
  event: NotificationEvent,
  to: Recipient,
) {
  const { companyId, key, mail, category } = event
  const unsubscribe = isUnsubscribable(category)
    ? buildNotificationUnsubscribeUrl({ secrets, config }, to.id, category)
    : undefined
  const content = await buildNotificationMail(tx, config, companyId, event, unsubscribe)
  // A recipient by mail only has no notification row that prevents a second sending: the id of the mail does.
  const id = toStableId(`notification ${companyId} ${to.id} ${key}`)
  const replyToField = mail?.replyTo && { replyTo: mail.replyTo }
  await sendMail(
    tx,
    secrets,
    { to: to.email, ...replyToField, ...(unsubscribe && { unsubscribe }), ...content },
    { id, companyId, ...(category === 'security' && { sender: 'installation' }) },
  )
}
