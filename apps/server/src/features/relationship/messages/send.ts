import { and, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { isRefused } from '../../../adapters/mail/mail.ts'
import { sendFor } from '../../../core/company-sender.ts'
import { record } from '../../../core/events.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { messageRecipients, messages } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { GiveUp, jobId, type Task } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { leaveUrl, mayMail } from '../../people/notifications/notifications.ts'
import { companyName, filler, readersOf } from './audience.ts'
import { messageMail } from './mail.ts'
import { messageScope } from './scope.ts'

type Row = typeof messages.$inferSelect
type Ref = { companyId: number; messageId: string }
type Letter = Ref & { participantId: string; reminder: boolean }

/** What the copies by mail are about, among what people may do without. */
const CATEGORY = 'operations'

const targetOf = ({ audience, operationId, tag, participantId }: Row) =>
  audience === 'operation'
    ? ({ kind: 'operation', operationId: operationId ?? '' } as const)
    : audience === 'group'
      ? ({ kind: 'group', tag: tag ?? '' } as const)
      : ({ kind: 'person', participantId: participantId ?? '' } as const)

const letterId = ({ companyId, messageId, participantId, reminder }: Letter) =>
  jobId(`letter ${companyId} ${messageId} ${participantId} ${reminder}`)
const post = (tx: Db, letter: Letter) => enqueue(tx, 'messages.mail', letter, { id: letterId(letter) })

async function handOut(tx: Db, actor: Actor, row: Row): Promise<number> {
  const { companyId, id: messageId } = row
  const readers = await readersOf(tx, actor, targetOf(row))
  const fill = filler(actor, await companyName(tx, companyId))
  const may = await mayMail(
    tx,
    readers.flatMap(({ userId }) => userId ?? []),
    CATEGORY,
  )
  for (const reader of readers) {
    const { id: participantId, userId, email } = reader
    const mailed = Boolean(email) && (userId === null || may(userId))
    const state = mailed ? 'queued' : userId ? 'portal' : 'none'
    const words = { subject: fill(row.subject, reader), body: fill(row.body, reader) }
    const place = { companyId, messageId, participantId, userId }
    await tx.insert(messageRecipients).values({ ...place, ...words, email: mailed ? email : '', state })
    if (mailed) await post(tx, { companyId, messageId, participantId, reminder: false })
  }
  return readers.length
}

/** Once, in its author's name and with what they may do at this moment: twice at once, the second finds it gone. */
export const sendMessage = ({ db, secrets }: Deps, { companyId, messageId }: Ref) =>
  transaction(forCompany(db, companyId), async (tx) => {
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
      const recipients = await handOut(tx, { ...actor, ...named(actor, row) }, row)
      await end({ state: 'sent', sentAt: new Date() })
      const by = { job: 'messages.send', secrets }
      await record(tx, { companyId, name: 'message.sent', object: messageId, data: { messageId, recipients }, by })
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'forbidden' && error.code !== 'not-found')) throw error
      await end({ state: 'failed', fault: error.message })
    }
  })

/** Those whose moment has come, wherever they were written. */
export async function sendDue({ db }: Pick<Deps, 'db'>) {
  const due = await db
    .select({ companyId: messages.companyId, messageId: messages.id })
    .from(messages)
    .where(and(eq(messages.state, 'scheduled'), lte(messages.sendAt, new Date())))
  for (const ref of due) await enqueue(db, 'messages.send', ref, { once: ref.messageId })
}

/** It bears the name it was written under. */
const named = (actor: Actor, { author }: Row) =>
  nameOfActor(actor) === author ? {} : { firstName: author, lastName: '' }

/** One copy by mail. Whoever opened it meanwhile is not reminded. */
export async function mailMessage(deps: Deps, letter: Letter, task: Task): Promise<void> {
  const { companyId, messageId, participantId, reminder } = letter
  const own = and(
    eq(messageRecipients.companyId, companyId),
    eq(messageRecipients.messageId, messageId),
    eq(messageRecipients.participantId, participantId),
  )
  const [row] = await deps.db.select().from(messageRecipients).where(own)
  if (!row || (reminder ? row.openedAt !== null : row.state !== 'queued')) return
  const { subject, body, userId, email } = row
  const unsubscribe = userId ? leaveUrl(deps, userId, CATEGORY) : undefined
  const words = { subject, body, hasAccount: userId !== null, reminder, ...(unsubscribe && { leave: unsubscribe }) }
  const content = await messageMail(deps.db, deps.config, companyId, words)
  const settle = (state: 'delivered' | 'failed') =>
    forCompany(deps.db, companyId).update(messageRecipients).set({ state }).where(own)
  try {
    await sendFor(deps, companyId, { to: email, ...content, ...(unsubscribe && { unsubscribe }), id: task.id })
  } catch (error) {
    if (!isRefused(error) && !task.last) throw error
    if (!reminder) await settle('failed')
    throw isRefused(error) ? new GiveUp('the message was refused', { cause: error }) : error
  }
  if (!reminder) await settle('delivered')
}

/** Another mail to those who have an account and have not opened it there; each is reminded once. */
export async function remindReaders(tx: Db, actor: Actor, id: string): Promise<number> {
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
  for (const { participantId } of waiting) await post(tx, { companyId, messageId: id, participantId, reminder: true })
  return waiting.length
}
