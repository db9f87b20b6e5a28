import type { messages as contract, MessageRow } from '@voisol/contract/messages'
import { and, asc, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { matches, orderBy, pageOf } from '../../../db/list.ts'
import { messageRecipients, messages, operations, participants } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { messageScope } from './scope.ts'

type Query = z.output<typeof contract.list.query>

/** How many of its readers stand so. */
const counted = (which: SQL) => sql<number>`(select count(*)::int from message_recipients r
  where r.company_id = ${messages}.company_id and r.message_id = ${messages}.id and ${which})`
const inState = (state: string) => counted(sql`r.state = ${state}`)

const VIEW = {
  row: messages,
  operationName: operations.name,
  personName: participants.name,
  recipients: counted(sql`true`),
  queued: inState('queued'),
  delivered: inState('delivered'),
  failed: inState('failed'),
  portal: inState('portal'),
  none: inState('none'),
  opened: counted(sql`r.opened_at is not null`),
  answered: counted(sql`r.ticket_id is not null`),
}

const read = (db: Db, where: SQL | undefined) =>
  db
    .select(VIEW)
    .from(messages)
    .leftJoin(operations, and(eq(operations.companyId, messages.companyId), eq(operations.id, messages.operationId)))
    .leftJoin(
      participants,
      and(eq(participants.companyId, messages.companyId), eq(participants.id, messages.participantId)),
    )
    .where(where)

function toRow({ row, operationName, personName, ...counts }: Awaited<ReturnType<typeof read>>[number]): MessageRow {
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
    matches(query.q, [messages.subject, messages.body]),
  )
  const { limit, offset } = pageOf(query)
  const rows = await read(db, where)
    .orderBy(orderBy(query.sort, SORTS, '-sendAt'), desc(messages.id))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(messages).where(where)
  return { items: rows.map(toRow), total: all?.n ?? 0 }
}

export async function getRow(db: Db, actor: Actor, id: string): Promise<MessageRow> {
  const [row] = await read(db, and(messageScope(actor), eq(messages.id, id)))
  if (!row) throw new AppError('not-found')
  return toRow(row)
}

export async function getMessage(db: Db, actor: Actor, id: string) {
  const [row] = await read(db, and(messageScope(actor), eq(messages.id, id)))
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
    ...toRow(row),
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
