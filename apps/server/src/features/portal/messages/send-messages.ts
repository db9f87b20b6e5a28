import type { MessageDraft, MessageRow, MessageTarget, NewMessage } from '@voisol/contract/messages'
import { fillReply } from '@voisol/contract/support-labels'
import { and, asc, eq, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '../../../config.ts'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { sendCompanyMail } from '../../../core/company-mail.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { companies, memberships, messageRecipients, messages, participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { isPermanentMailRefusal } from '../../../integrations/mail/mail.ts'
import { type JobRun, PermanentJobError, toStableId } from '../../../jobs/job.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { normalizePlainText, requireSingleLine } from '../../../plain-text.ts'
import { getToday } from '../../../today.ts'
import { participantScope } from '../../energy/participants/index.ts'
import { buildBrandUrl, loadMailBrand, renderMail } from '../../identity/mail/index.ts'
import { buildNotificationUnsubscribeUrl, loadMailFilter } from '../../identity/notifications/index.ts'
import { loadMessageRow, messageScope } from './message-queries.ts'

const hasCurrentParticipation = (which: SQL) => sql`exists (select from participations s
  where s.company_id = ${participants}.company_id and s.participant_id = ${participants}.id
    and s.starts_on <= ${getToday()} and (s.ends_on is null or s.ends_on > ${getToday()}) and ${which})`

async function buildTargetCondition(db: Db, actor: Actor, to: MessageTarget): Promise<SQL | undefined> {
  if (to.kind === 'operation') {
    const { id } = await requireVisibleOperation(db, actor, to.operationId)
    return hasCurrentParticipation(sql`s.operation_id = ${id}`)
  }
  if (to.kind === 'group') return sql`${participants.tags} @> ${sql.param([to.tag])}::text[]`
  return eq(participants.id, to.participantId)
}

const currentOperationName = sql<string>`coalesce((select o.name from participations s
  join operations o on o.company_id = s.company_id and o.id = s.operation_id
  where s.company_id = participants.company_id and s.participant_id = participants.id
    and (s.ends_on is null or s.ends_on > current_date) order by s.starts_on desc limit 1), '')`

/** The recipients as of today, within the user's operations; an account counts once its invitation is accepted. */
export async function loadAudience(db: Db, actor: Actor, to: MessageTarget) {
  const rows = await db
    .select({
      id: participants.id,
      name: participants.name,
      firstName: participants.firstName,
      lastName: participants.lastName,
      email: participants.email,
      userId: memberships.userId,
      operation: currentOperationName,
    })
    .from(participants)
    .leftJoin(
      memberships,
      and(
        eq(memberships.companyId, participants.companyId),
        eq(memberships.userId, participants.userId),
        sql`${memberships.acceptedAt} is not null and ${memberships.disabledAt} is null`,
      ),
    )
    .where(and(participantScope(actor), await buildTargetCondition(db, actor, to)))
    .orderBy(asc(participants.name), asc(participants.id))
  if (to.kind === 'person' && !rows.length) throw new AppError('not-found')
  return rows
}
type MessageReader = Awaited<ReturnType<typeof loadAudience>>[number]

function requireAudience(readers: MessageReader[]): MessageReader {
  const [first] = readers
  if (!first) throw fieldError('to', 'Personne ne recevrait ce message\u00a0: choisissez d’autres destinataires.')
  return first
}

/** Fills the fields of the text for a recipient; an unknown value becomes empty. */
export function buildTextFiller(actor: Pick<Actor, 'firstName' | 'lastName' | 'email'>, organisation: string) {
  const agent = formatActorName(actor)
  return (text: string, { firstName, lastName, name, operation }: MessageReader) => {
    const values = { prenom: firstName || name, nom: lastName || name, operation, organisation, agent }
    // Unknown fields are removed, so that no placeholder is ever sent.
    return fillReply(text, values).replace(/\{\{[^{}]*\}\}/g, '')
  }
}

export async function loadCompanyName(db: Db, companyId: number): Promise<string> {
  const [row] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId))
  return row?.name ?? ''
}

type MessageMailInput = { subject: string; body: string; hasAccount: boolean; reminder?: boolean; leave?: string }

/** The mail copy of a message, with the branding of the company. */
async function buildMessageMail(db: Db, config: Config, companyId: number, words: MessageMailInput) {
  const { subject, body, hasAccount, reminder, leave } = words
  const brand = await loadMailBrand(db, config, companyId)
  const layout = renderMail({
    title: subject,
    paragraphs: [
      ...(reminder ? ['Ce message vous attend dans votre espace, où vous ne l’avez pas encore ouvert.'] : []),
      ...body.split(/\n{2,}/),
    ],
    ...(hasAccount && {
      action: {
        label: 'Lire et répondre dans mon espace',
        url: buildBrandUrl(config, brand, '/client-portal/messages'),
      },
    }),
    footer: hasAccount
      ? 'Vous recevez ce message parce que vous prenez part à une opération. Vos préférences de notification règlent sa copie par e-mail.'
      : 'Vous recevez ce message parce que vous prenez part à une opération d’autoconsommation collective.',
    leave,
    brand,
  })
  return { subject: reminder ? `Rappel\u00a0: ${subject}` : subject, ...layout }
}

const YEAR_MS = 366 * 86_400_000

/** Previews the message for its first recipient; nothing is stored or sent. */
export async function previewMessage(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  actor: Actor,
  { subject, body, to }: z.output<typeof MessageDraft>,
) {
  const readers = await loadAudience(db, actor, to)
  const first = requireAudience(readers)
  const fill = buildTextFiller(actor, await loadCompanyName(db, actor.companyId))
  const words = { subject: fill(subject, first), body: fill(normalizePlainText(body), first) }
  const sample = await buildMessageMail(db, config, actor.companyId, { ...words, hasAccount: first.userId !== null })
  const none = readers.filter(({ email, userId }) => !email && !userId).map(({ name }) => name)
  return { recipients: readers.length, none, name: first.name, sample }
}

const toTargetColumns = (to: MessageTarget) => ({
  audience: to.kind,
  operationId: to.kind === 'operation' ? to.operationId : null,
  tag: to.kind === 'group' ? to.tag : null,
  participantId: to.kind === 'person' ? to.participantId : null,
})

function parseSendTime(sendAt: string | null): Date {
  const at = sendAt ? new Date(sendAt) : new Date()
  if (at.getTime() > Date.now() + YEAR_MS) throw fieldError('sendAt', 'Un an à l’avance au plus.')
  if (sendAt && at.getTime() < Date.now() - 60_000) throw fieldError('sendAt', 'Ce moment est passé.')
  return at
}

/** Stores the message; it is sent at its time to the recipients as of then. */
export async function createMessage(tx: Db, actor: Actor, input: z.output<typeof NewMessage>): Promise<MessageRow> {
  requireAudience(await loadAudience(tx, actor, input.to))
  const sendAt = parseSendTime(input.sendAt)
  const { companyId, userId: authorId } = actor
  const words = { subject: requireSingleLine('subject', input.subject), body: normalizePlainText(input.body) }
  const [row] = await tx
    .insert(messages)
    .values({ companyId, ...words, ...toTargetColumns(input.to), authorId, author: formatActorName(actor), sendAt })
    .returning()
  if (!row) throw new AppError('internal')
  const after = Math.max(0, Math.ceil((sendAt.getTime() - Date.now()) / 1000))
  const job = { companyId, messageId: row.id }
  await enqueue(tx, 'messages.send', job, { id: toStableId(`message ${companyId} ${row.id}`), ...(after && { after }) })
  return loadMessageRow(tx, actor, row.id)
}

export async function cancelMessage(tx: Db, actor: Actor, id: string, { version }: { version: number }) {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(messageScope(actor), eq(messages.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  requireCurrentVersion(row, { version })
  if (row.state !== 'scheduled')
    throw new AppError('invalid-transition', {
      message: 'Ce message n’attend plus\u00a0: il ne peut plus être annulé.',
    })
  await tx
    .update(messages)
    .set({ state: 'cancelled', version: version + 1 })
    .where(and(eq(messages.companyId, row.companyId), eq(messages.id, id)))
  return loadMessageRow(tx, actor, id)
}

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
