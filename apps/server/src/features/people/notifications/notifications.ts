import type { NotificationCategory, NotificationPriority, NotificationType } from '@voisol/contract/notifications'
import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { notifications } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { jobId } from '../../../jobs/job.ts'
import { brandUrl, mailBrandOf, mailLayout, type Picture, pictureParts, sendMail } from '../mail/mail.ts'
import { isLeft, leaveUrl } from './leave.ts'
import { goesByMail, type Off, showsInApp, switchedOff } from './preferences.ts'
import { type Concerned, findRecipients, type Recipient } from './recipients.ts'

export { isLeft, leaveUrl } from './leave.ts'
export { mayMail } from './preferences.ts'
export { findRecipients } from './recipients.ts'

/** Something a person should know. `key` names what happened: raised again, the same event says nothing more. */
export type NotificationEvent = {
  companyId: number
  /** Those who hold a right, where it concerns an operation of theirs; or the ids of some members. */
  to: Concerned | string[]
  category: z.infer<typeof NotificationCategory>
  type: z.infer<typeof NotificationType>
  priority: z.infer<typeof NotificationPriority>
  title: string
  message: string
  /** `url` is a path of the product. */
  action?: { label: string; url: string }
  dismissible?: boolean
  key: string
  /** When it happened, where it is told later than that: the list keeps the order of what happened. */
  at?: Date
  /** What the mail says instead of the message, what it shows, and where an answer to it goes. */
  mail?: { text: string; replyTo?: string; picture?: Picture }
}

/** Tells each recipient in the app and by mail, as their preferences say, within the caller's transaction. */
export async function notify(tx: Db, deps: Pick<Deps, 'secrets' | 'config'>, event: NotificationEvent): Promise<void> {
  if (event.action) requirePath(event.action.url)
  await transaction(tx, async (tx) => {
    const recipients = await findRecipients(tx, event)
    const off = await switchedOff(
      tx,
      recipients.map(({ id }) => id),
    )
    const told = await keep(tx, event, recipients, off)
    for (const recipient of recipients) {
      const repeated = showsInApp(off, recipient.id, event) && !told.has(recipient.id)
      if (!repeated && goesByMail(off, recipient.id, event)) await mailTo(tx, deps, event, recipient)
    }
  })
}

function requirePath(url: string) {
  const home = 'http://voisol.invalid'
  const own = /^\/(?![/\\])/.test(url) && URL.canParse(url, home) && new URL(url, home).origin === home
  if (!own) throw new Error(`a notification leads to a path of the product, not to ${url}`)
}

/** The recipients who had not been told of this yet. */
async function keep(tx: Db, event: NotificationEvent, recipients: Recipient[], off: Off): Promise<Set<string>> {
  const { companyId, category, type, priority, title, message, action, dismissible = true, key, at } = event
  const rows = recipients
    .filter(({ id }) => showsInApp(off, id, event))
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

type Words = Pick<NotificationEvent, 'title' | 'message' | 'action' | 'mail'>

/** What is told, as a message in the company's look. */
export async function notificationMail(db: Db, config: Config, companyId: number, words: Words, leave?: string) {
  const { title, message, action, mail } = words
  const shown = mail?.picture && pictureParts(mail.picture)
  const brand = await mailBrandOf(db, config, companyId)
  const content = mailLayout({
    title,
    paragraphs: (mail?.text ?? message).split(/\n+/),
    ...(action && { action: { label: action.label, url: brandUrl(config, brand, action.url) } }),
    picture: shown?.picture,
    footer: 'Vous recevez ce message selon vos préférences de notification, que vous pouvez changer dans Voisol.',
    leave,
    brand,
  })
  return { subject: title, ...content, ...(shown && { attachments: [shown.attachment] }) }
}

async function mailTo(
  tx: Db,
  { secrets, config }: Pick<Deps, 'secrets' | 'config'>,
  event: NotificationEvent,
  to: Recipient,
) {
  const { companyId, key, mail, category } = event
  const unsubscribe = isLeft(category) ? leaveUrl({ secrets, config }, to.id, category) : undefined
  const content = await notificationMail(tx, config, companyId, event, unsubscribe)
  // Someone who reads by mail alone has no row to remember the event by: the id of the message does.
  const id = jobId(`notification ${companyId} ${to.id} ${key}`)
  const answered = mail?.replyTo && { replyTo: mail.replyTo }
  await sendMail(
    tx,
    secrets,
    { to: to.email, ...answered, ...(unsubscribe && { unsubscribe }), ...content },
    { id, companyId, ...(category === 'security' && { sender: 'installation' }) },
  )
}
