import type { ParsedInput } from '@voisol/contract/endpoint'
import type { supportDesk as endpoints, QueueRow } from '@voisol/contract/support-desk'
import { and, count, desc, eq, inArray, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { companies, memberships, ticketMessages, tickets, users } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { findRecipients } from '../../people/notifications/notifications.ts'
import { deskScope } from './scope.ts'
import { type TicketRecord, toTicketRow } from './view.ts'

export const FINISHED_TICKET_STATES: TicketRecord['state'][] = ['solved', 'closed']
const assignees = alias(users, 'assignees')
const buildFullNameSql = (of: typeof users) => sql<string>`trim(${of.firstName} || ' ' || ${of.lastName})`
const assigneeName = sql<string | null>`trim(${assignees.firstName} || ' ' || ${assignees.lastName})`

/** What was promised has passed, and the desk has it. */
export const isLateTicket = and(
  notInArray(tickets.state, FINISHED_TICKET_STATES),
  or(
    and(isNull(tickets.firstAnswerAt), sql`${tickets.firstDueAt} < now()`),
    sql`${tickets.solveDueAt} < now()`,
    sql`${tickets.spentMinutes} > ${tickets.solveMinutes}`,
  ),
)

const heldMessageCount = sql<number>`(select count(*)::int from ${ticketMessages}
  where ${ticketMessages.companyId} = ${tickets.companyId} and ${ticketMessages.ticketId} = ${tickets.id}
    and ${ticketMessages.heldFrom} is not null)`

export const selectQueue = (db: Db) =>
  db
    .select({
      ticket: tickets,
      asker: buildFullNameSql(users),
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      company: companies.name,
      assignee: assigneeName,
      held: heldMessageCount,
      late: sql<boolean>`coalesce(${isLateTicket}, false)`,
    })
    .from(tickets)
    .innerJoin(users, eq(users.id, tickets.askerId))
    .innerJoin(companies, eq(companies.id, tickets.companyId))
    .leftJoin(assignees, eq(assignees.id, tickets.assigneeId))

export type QueuedTicket = Awaited<ReturnType<typeof selectQueue>>[number]

export const toQueueRow = ({ ticket, asker, email, company, assignee, held, late }: QueuedTicket): QueueRow => ({
  ...toTicketRow(ticket),
  asker: { name: asker || email, company },
  assignee: ticket.assigneeId ? { id: ticket.assigneeId, name: assignee ?? '' } : null,
  held,
  late,
  firstDueAt: ticket.firstDueAt.toISOString(),
  firstAnswerAt: ticket.firstAnswerAt?.toISOString() ?? null,
  solveDueAt: ticket.solveDueAt?.toISOString() ?? null,
  solvedAt: ticket.solvedAt?.toISOString() ?? null,
})

type Query = ParsedInput<typeof endpoints.queue>['query']

const VIEW_CONDITIONS: Record<NonNullable<Query['view']>, (actor: Actor) => SQL | undefined> = {
  active: () => notInArray(tickets.state, FINISHED_TICKET_STATES),
  mine: ({ userId }) => and(notInArray(tickets.state, FINISHED_TICKET_STATES), eq(tickets.assigneeId, userId)),
  unassigned: () => and(notInArray(tickets.state, FINISHED_TICKET_STATES), isNull(tickets.assigneeId)),
  late: () => isLateTicket,
  all: () => undefined,
}

/** What is due first comes first; what nobody waits for comes last. */
const nextDueAt = sql`least(case when ${tickets.firstAnswerAt} is null then ${tickets.firstDueAt} end, ${tickets.solveDueAt})`
const priorityRank = sql`case ${tickets.priority} when 'urgent' then 0 when 'high' then 1 when 'normal' then 2 else 3 end`
const SORTS = {
  dueAt: nextDueAt,
  priority: priorityRank,
  number: tickets.number,
  state: tickets.state,
  lastMessageAt: tickets.lastMessageAt,
  createdAt: tickets.createdAt,
}

export async function listTicketQueue(db: Db, actor: Actor, query: Query) {
  const { state, priority, category, desk, companyId } = query
  const where = and(
    deskScope(actor),
    // A state that was asked for is shown whatever else is looked at.
    state && FINISHED_TICKET_STATES.includes(state) ? undefined : VIEW_CONDITIONS[query.view ?? 'active'](actor),
    desk && eq(tickets.desk, desk),
    state && eq(tickets.state, state),
    priority && eq(tickets.priority, priority),
    category && eq(tickets.category, category),
    companyId === undefined ? undefined : eq(tickets.companyId, companyId),
    matchesSearchWords(query.q, [
      tickets.subject,
      tickets.aboutLabel,
      tickets.number,
      users.firstName,
      users.lastName,
      companies.name,
    ]),
  )
  const rows = await selectQueue(db)
    .where(where)
    .orderBy(buildOrderBy(query.sort, SORTS, 'dueAt'), desc(tickets.lastMessageAt), tickets.id)
    .limit(toLimitOffset(query).limit)
    .offset(toLimitOffset(query).offset)
  const [sum] = await db
    .select({ total: count() })
    .from(tickets)
    .innerJoin(users, eq(users.id, tickets.askerId))
    .innerJoin(companies, eq(companies.id, tickets.companyId))
    .where(where)
  return { items: rows.map(toQueueRow), total: sum?.total ?? 0 }
}

/** Those of the company who may answer. */
export async function listDeskAgents(db: Db, { companyId }: Pick<Actor, 'companyId'>) {
  const able = await findRecipients(db, { companyId, to: { permission: 'support.write' } })
  const ids = able.map(({ id }) => id)
  if (!ids.length) return []
  const rows = await db
    .select({ id: users.id, name: buildFullNameSql(users), email: users.email })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.companyId, companyId)))
    .where(inArray(users.id, ids))
    .orderBy(users.lastName, users.firstName, users.id)
  return rows.map(({ id, name, email }) => ({ id, name: name || email }))
}

/** Who wrote to the keeper of the installation. */
export async function listOrganisationsWithTickets(db: Db) {
  const rows = await db
    .select({
      id: companies.id,
      name: companies.name,
      open: sql<number>`(count(*) filter (where ${notInArray(tickets.state, FINISHED_TICKET_STATES)}))::int`,
    })
    .from(tickets)
    .innerJoin(companies, eq(companies.id, tickets.companyId))
    .where(eq(tickets.desk, 'keeper'))
    .groupBy(companies.id, companies.name)
    .orderBy(companies.name)
  return rows
}
