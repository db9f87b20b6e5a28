import type { messages as contract, MessageRow } from '@voisol/contract/messages'
import { and, asc, count, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { participantIdsOfUser, withinOperationLimit } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { messageRecipients, messages, operations, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'

/**
 * The messages of the company; a limited user sees those to their operations and their own. An API key is not its
 * creator.
 */
export const messageScope = (actor: Actor) =>
  and(
    eq(messages.companyId, actor.companyId),
    actor.operationIds
      ? or(
          withinOperationLimit(actor, messages.operationId),
          actor.kind === 'person' ? eq(messages.authorId, actor.userId) : undefined,
        )
      : undefined,
  )

/** The messages to participants whose portal the user may open; in the back office there are none. */
export const ownMessageScope = ({ companyId, userId, space }: Actor) =>
  and(
    eq(messageRecipients.companyId, companyId),
    space === 'portal'
      ? sql`${messageRecipients.participantId} in ${participantIdsOfUser({ companyId, userId })}`
      : sql`false`,
  )

type Query = z.output<typeof contract.list.query>

/** Number of recipients in a given state. */
const countRecipients = (which: SQL) => sql<number>`(select count(*)::int from message_recipients r
  where r.company_id = ${messages}.company_id and r.message_id = ${messages}.id and ${which})`
const countInState = (state: string) => countRecipients(sql`r.state = ${state}`)

const MESSAGE_COLUMNS = {
  row: messages,
  operationName: operations.name,
  personName: participants.name,
  recipients: countRecipients(sql`true`),
  queued: countInState('queued'),
  delivered: countInState('delivered'),
  failed: countInState('failed'),
  portal: countInState('portal'),
  none: countInState('none'),
  opened: countRecipients(sql`r.opened_at is not null`),
  answered: countRecipients(sql`r.ticket_id is not null`),
}

const selectMessages = (db: Db, where: SQL | undefined) =>
  db
    .select(MESSAGE_COLUMNS)
    .from(messages)
    .leftJoin(operations, and(eq(operations.companyId, messages.companyId), eq(operations.id, messages.operationId)))
    .leftJoin(
      participants,
      and(eq(participants.companyId, messages.companyId), eq(participants.id, messages.participantId)),
    )
    .where(where)

function toMessageRow({
  row,
  operationName,
  personName,
  ...counts
}: Awaited<ReturnType<typeof selectMessages>>[number]): MessageRow {
  const { id, subject, audience, state, fault, author, sendAt, sentAt, version, tag } = row
  const target = { operation: operationName, group: tag, person: personName }[audience] ?? ''
  return {
    id,
    subject,
    audience,
    target,
    state,
    fault,
    author,
    sendAt: sendAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    counts,
    version,
  }
}

const SORTS = { sendAt: messages.sendAt, subject: sql`fold(${messages.subject})`, state: messages.state }

export async function listMessages(db: Db, actor: Actor, query: Query) {
  const where = and(
    messageScope(actor),
    query.state && eq(messages.state, query.state),
    matchesSearchWords(query.q, [messages.subject, messages.body]),
  )
  const { limit, offset } = toLimitOffset(query)
  const rows = await selectMessages(db, where)
    .orderBy(buildOrderBy(query.sort, SORTS, '-sendAt'), desc(messages.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(messages).where(where)
  return { items: rows.map(toMessageRow), total: all?.n ?? 0 }
}

export async function loadMessageRow(db: Db, actor: Actor, id: string): Promise<MessageRow> {
  const [row] = await selectMessages(db, and(messageScope(actor), eq(messages.id, id)))
  if (!row) throw new AppError('not-found')
  return toMessageRow(row)
}

export async function loadMessage(db: Db, actor: Actor, id: string) {
  const [row] = await selectMessages(db, and(messageScope(actor), eq(messages.id, id)))
  if (!row) throw new AppError('not-found')
  const { companyId } = actor
  const recipients = await db
    .select({ recipient: messageRecipients, name: participants.name })
    .from(messageRecipients)
    .innerJoin(
      participants,
      and(
        eq(participants.companyId, messageRecipients.companyId),
        eq(participants.id, messageRecipients.participantId),
      ),
    )
    .where(and(eq(messageRecipients.companyId, companyId), eq(messageRecipients.messageId, id)))
    .orderBy(asc(participants.name), asc(participants.id))
  return {
    ...toMessageRow(row),
    body: row.row.body,
    recipients: recipients.map(({ name, recipient }) => ({
      id: recipient.participantId,
      name,
      email: recipient.email,
      state: recipient.state,
      openedAt: recipient.openedAt?.toISOString() ?? null,
      remindedAt: recipient.remindedAt?.toISOString() ?? null,
      ticketId: recipient.ticketId,
    })),
  }
}
