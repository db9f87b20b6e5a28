import { and, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { isPermanentMailRefusal } from '../../../adapters/mail/mail.ts'
import { sendCompanyMail } from '../../../core/company-sender.ts'
import { recordEvent } from '../../../core/events.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { type JobRun, PermanentJobError, toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { buildNotificationUnsubscribeUrl, loadMailFilter } from '../../people/notifications/notifications.ts'
import { buildTextFiller, loadAudience, loadCompanyName } from './audience.ts'
import { buildMessageMail } from './mail.ts'
import { messageScope } from './scope.ts'

type Row = typeof messages.$inferSelect
type MessageRef = { companyId: number; messageId: string }
type MessageMailRef = MessageRef & { participantId: string; reminder: boolean }

/** The notification category of the mail copies, which recipients can unsubscribe. */
const NOTIFICATION_CATEGORY = 'operations'

const getTarget = ({ audience, operationId, tag, participantId }: Row) =>
  audience === 'operation'
    ? ({ kind: 'operation', operationId: operationId ?? '' } as const)
    : audience === 'group'
      ? ({ kind: 'group', tag: tag ?? '' } as const)
      : ({ kind: 'person', participantId: participantId ?? '' } as const)

const getMailJobId = ({ companyId, messageId, participantId, reminder }: MessageMailRef) =>
  toStableId(`letter ${companyId} ${messageId} ${participantId} ${reminder}`)
const enqueueMessageMail = (tx: Db, letter: MessageMailRef) =>
  enqueue(tx, 'messages.mail', letter, { id: getMailJobId(letter) })

async function distributeMessage(tx: Db, actor: Actor, row: Row): Promise<number> {
  const { companyId, id: messageId } = row
  const readers = await loadAudience(tx, actor, getTarget(row))
  const fill = buildTextFiller(actor, await loadCompanyName(tx, companyId))
  const mayReceiveMail = await loadMailFilter(
    tx,
    readers.flatMap(({ userId }) => userId ?? []),
    NOTIFICATION_CATEGORY,
  )
  for (const reader of readers) {
    const { id: participantId, userId, email } = reader
    const mailed = Boolean(email) && (userId === null || mayReceiveMail(userId))
    const state = mailed ? 'queued' : userId ? 'portal' : 'none'
    const words = { subject: fill(row.subject, reader), body: fill(row.body, reader) }
    const place = { companyId, messageId, participantId, userId }
    await tx.insert(messageRecipients).values({ ...place, ...words, email: mailed ? email : '', state })
    if (mailed) await enqueueMessageMail(tx, { companyId, messageId, participantId, reminder: false })
  }
  return readers.length
}

/** Sends the message once, with the current permissions of its author: a concurrent second call finds it sent. */
export const sendMessage = ({ db, secrets }: Deps, { companyId, messageId }: MessageRef) =>
  transaction(scopeToCompany(db, companyId), async (tx) => {
    const own = and(eq(messages.companyId, companyId), eq(messages.id, messageId))
    const [row] = await tx.select().from(messages).where(own).for('update')
    if (row?.state !== 'scheduled') return
    const end = (values: Partial<Row>) =>
      tx
        .update(messages)
        .set({ ...values, version: row.version + 1 })
        .where(own)
    try {
      const work = { permission: 'messages.write', ...(row.operationId && { operationId: row.operationId }) } as const
      const actor = await authorizeJob(tx, { companyId, userId: row.authorId }, work)
      const recipients = await distributeMessage(tx, { ...actor, ...getAuthorName(actor, row) }, row)
      await end({ state: 'sent', sentAt: new Date() })
      const by = { job: 'messages.send', secrets }
      await recordEvent(tx, { companyId, name: 'message.sent', object: messageId, data: { messageId, recipients }, by })
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'forbidden' && error.code !== 'not-found')) throw error
      await end({ state: 'failed', fault: error.message })
    }
  })

/** Due messages of every company. */
export async function enqueueDueMessages({ db }: Pick<Deps, 'db'>) {
  const due = await db
    .select({ companyId: messages.companyId, messageId: messages.id })
    .from(messages)
    .where(and(eq(messages.state, 'scheduled'), lte(messages.sendAt, new Date())))
  for (const ref of due) await enqueue(db, 'messages.send', ref, { once: ref.messageId })
}

/** The author's name at the time of writing. */
const getAuthorName = (actor: Actor, { author }: Row) =>
  formatActorName(actor) === author ? {} : { firstName: author, lastName: '' }

/** Sends one mail copy. A recipient who has opened the message meanwhile gets no reminder. */
export async function sendMessageMail(deps: Deps, letter: MessageMailRef, task: JobRun): Promise<void> {
  const { companyId, messageId, participantId, reminder } = letter
  const own = and(
    eq(messageRecipients.companyId, companyId),
    eq(messageRecipients.messageId, messageId),
    eq(messageRecipients.participantId, participantId),
  )
  const [row] = await deps.db.select().from(messageRecipients).where(own)
  if (!row || (reminder ? row.openedAt !== null : row.state !== 'queued')) return
  const { subject, body, userId, email } = row
  const unsubscribe = userId ? buildNotificationUnsubscribeUrl(deps, userId, NOTIFICATION_CATEGORY) : undefined
  const words = { subject, body, hasAccount: userId !== null, reminder, ...(unsubscribe && { leave: unsubscribe }) }
  const content = await buildMessageMail(deps.db, deps.config, companyId, words)
  const setState = (state: 'delivered' | 'failed') =>
    scopeToCompany(deps.db, companyId).update(messageRecipients).set({ state }).where(own)
  try {
    await sendCompanyMail(deps, companyId, { to: email, ...content, ...(unsubscribe && { unsubscribe }), id: task.id })
  } catch (error) {
    if (!isPermanentMailRefusal(error) && !task.last) throw error
    if (!reminder) await setState('failed')
    throw isPermanentMailRefusal(error) ? new PermanentJobError('the message was refused', { cause: error }) : error
  }
  if (!reminder) await setState('delivered')
}

/** Sends another mail to recipients with an account who have not opened it; each is reminded once. */
export async function remindRecipients(tx: Db, actor: Actor, id: string): Promise<number> {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(messageScope(actor), eq(messages.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  if (row.state !== 'sent') throw new AppError('invalid-transition', { message: 'Ce message n’est pas encore parti.' })
  const { companyId } = actor
  const waiting = await tx
    .update(messageRecipients)
    .set({ remindedAt: new Date() })
    .where(
      and(
        eq(messageRecipients.companyId, companyId),
        eq(messageRecipients.messageId, id),
        eq(messageRecipients.state, 'delivered'),
        isNotNull(messageRecipients.userId),
        isNull(messageRecipients.openedAt),
        isNull(messageRecipients.remindedAt),
      ),
    )
    .returning({ participantId: messageRecipients.participantId })
  for (const { participantId } of waiting)
    await enqueueMessageMail(tx, { companyId, messageId: id, participantId, reminder: true })
  return waiting.length
}
