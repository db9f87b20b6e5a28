import type { ParsedInput } from '@voisol/contract/endpoint'
import type {
  supportDesk as endpoints,
  QueueRow,
  RequesterContext,
  SupportMonthFigures,
  SupportTicket,
  TicketNote,
} from '@voisol/contract/support-agents'
import type { SupportTeam } from '@voisol/contract/support-labels'
import { and, asc, count, desc, eq, gte, inArray, isNull, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isParticipantOfUser } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import {
  companies,
  invoices,
  memberships,
  participants,
  ticketMessages,
  ticketNotes,
  tickets,
  users,
} from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { findRecipients } from '../../identity/notifications/index.ts'
import { countWorkingMinutes, loadOwnSupportHours } from './support-hours.ts'
import {
  canManageInstallationSupport,
  deskScope,
  listTicketMessages,
  loadMergedInto,
  type TicketRecord,
  toTicketRow,
} from './ticket-queries.ts'

export const FINISHED_TICKET_STATES: TicketRecord['state'][] = ['solved', 'closed']
const assignees = alias(users, 'assignees')
const buildFullNameSql = (of: typeof users) => sql<string>`trim(${of.firstName} || ' ' || ${of.lastName})`
const assigneeName = sql<string | null>`trim(${assignees.firstName} || ' ' || ${assignees.lastName})`

/** What was promised has passed, and the desk has it. */
const isLateTicket = and(
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

const selectQueue = (db: Db) =>
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

type QueuedTicket = Awaited<ReturnType<typeof selectQueue>>[number]

const toQueueRow = ({ ticket, asker, email, company, assignee, held, late }: QueuedTicket): QueueRow => ({
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

const MAX_CONTEXT_ROWS = 5

/** Only what the reader's own company noted: the keeper's notes are not the organiser's, nor the other way round. */
async function listNotes(db: Db, actor: Actor, ticket: TicketRecord): Promise<TicketNote[]> {
  const rows = await db
    .select()
    .from(ticketNotes)
    .where(
      and(
        eq(ticketNotes.companyId, actor.companyId),
        eq(ticketNotes.ticketCompanyId, ticket.companyId),
        eq(ticketNotes.ticketId, ticket.id),
      ),
    )
    .orderBy(asc(ticketNotes.createdAt), asc(ticketNotes.id))
  return rows.map(({ id, author, body, createdAt }) => ({ id, author, body, createdAt: createdAt.toISOString() }))
}

async function listAskerParticipants(db: Db, { companyId, askerId }: TicketRecord) {
  const rows = await db
    .select({
      id: participants.id,
      name: participants.name,
      operations: sql<string[]>`array(select distinct o.name from participations m
        join operations o on o.company_id = m.company_id and o.id = m.operation_id
       where m.company_id = ${companyId} and m.participant_id = participants.id order by 1)`,
    })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), isParticipantOfUser({ companyId, userId: askerId })))
    .orderBy(participants.name)
    .limit(MAX_CONTEXT_ROWS)
  return rows
}

async function listRecentInvoices(db: Db, companyId: number, buyerIds: string[]) {
  if (!buyerIds.length) return []
  const rows = await db
    .select({ id: invoices.id, number: invoices.number, issuedOn: invoices.issuedOn, gross: invoices.gross })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), inArray(invoices.buyerId, buyerIds)))
    .orderBy(desc(invoices.issuedOn), desc(invoices.number))
    .limit(MAX_CONTEXT_ROWS)
  return rows.map(({ gross, ...row }) => ({ ...row, totalCents: gross }))
}

const listOtherTickets = (db: Db, scope: SQL | undefined, ticket: TicketRecord) =>
  db
    .select({ id: tickets.id, number: tickets.number, subject: tickets.subject, state: tickets.state })
    .from(tickets)
    .where(
      and(
        scope,
        eq(tickets.companyId, ticket.companyId),
        eq(tickets.askerId, ticket.askerId),
        eq(tickets.desk, ticket.desk),
        ne(tickets.id, ticket.id),
      ),
    )
    .orderBy(desc(tickets.lastMessageAt))
    .limit(MAX_CONTEXT_ROWS * 2)

/** A keeper answers an organiser as such: what the organiser's own participants are and pay is none of it. */
async function loadAskerContext(db: Db, actor: Actor, found: QueuedTicket): Promise<RequesterContext> {
  const { ticket } = found
  const own = ticket.desk === 'organiser' ? await listAskerParticipants(db, ticket) : []
  return {
    name: found.asker || found.email,
    email: found.email,
    company: found.company,
    participants: own,
    invoices: await listRecentInvoices(
      db,
      ticket.companyId,
      own.map(({ id }) => id),
    ),
    tickets: await listOtherTickets(db, deskScope(actor), ticket),
  }
}

async function loadReplyFields(
  db: Db,
  actor: Actor,
  { ticket, firstName, lastName }: QueuedTicket,
  context: RequesterContext,
) {
  const [company] = await db.select({ name: companies.name }).from(companies).where(eq(companies.id, actor.companyId))
  return {
    prenom: firstName,
    nom: lastName,
    numero: String(ticket.number),
    objet: ticket.subject,
    operation: ticket.aboutKind === 'operation' ? ticket.aboutLabel : (context.participants[0]?.operations[0] ?? ''),
    facture:
      ticket.aboutKind === 'invoice' ? ticket.aboutLabel.replace(/^Facture /, '') : (context.invoices[0]?.number ?? ''),
    organisation: company?.name ?? '',
    agent: formatActorName(actor),
  }
}

export async function loadDeskTicket(db: Db, actor: Actor, id: string): Promise<SupportTicket> {
  const [found] = await selectQueue(db).where(and(deskScope(actor), eq(tickets.id, id)))
  if (!found) throw new AppError('not-found')
  const { ticket } = found
  const context = await loadAskerContext(db, actor, found)
  return {
    ...toQueueRow(found),
    messages: await listTicketMessages(db, ticket, { held: true }),
    notes: await listNotes(db, actor, ticket),
    scoreWord: ticket.scoreWord,
    mergedInto: await loadMergedInto(db, ticket),
    context,
    fields: await loadReplyFields(db, actor, found, context),
  }
}

type MeasuredTicket = Pick<
  TicketRecord,
  'createdAt' | 'firstAnswerAt' | 'firstDueAt' | 'solvedAt' | 'spentMinutes' | 'solveMinutes' | 'score' | 'scoredAt'
> & { merged: boolean }
type WorkingHours = Parameters<typeof countWorkingMinutes>[2]

const PARIS = 'Europe/Paris'
const getTicketMonth = (at: Date) => toParisDay(at).slice(0, 7)

/** The middle one; of two in the middle the lower: a figure that somebody really waited. */
function computeLowerMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/** The months in their order, also those in which nothing was asked. */
function listMonthsUntil(day: string, count: number): string[] {
  const last = Temporal.PlainYearMonth.from(day.slice(0, 7))
  return Array.from({ length: count }, (_, at) => last.subtract({ months: count - 1 - at }).toString())
}

/** A promise counts in the month it was settled in: the first answer when it was given, the rest when it was solved. */
function computeMonthFigures(month: string, all: readonly MeasuredTicket[], hours: WorkingHours): SupportMonthFigures {
  const unmerged = all.filter(({ merged }) => !merged)
  const answered = unmerged.filter((one) => one.firstAnswerAt && getTicketMonth(one.firstAnswerAt) === month)
  const solved = unmerged.filter((one) => one.solvedAt && getTicketMonth(one.solvedAt) === month)
  const rated = unmerged.filter((one) => one.scoredAt && getTicketMonth(one.scoredAt) === month)
  const first = answered.map((one) => countWorkingMinutes(one.createdAt, one.firstAnswerAt ?? one.createdAt, hours))
  const inTime = answered.filter((one) => one.firstAnswerAt && one.firstAnswerAt <= one.firstDueAt).length
  const asPromised = solved.filter((one) => one.spentMinutes <= one.solveMinutes).length
  return {
    month,
    opened: all.filter(({ createdAt }) => getTicketMonth(createdAt) === month).length,
    solved: solved.length,
    firstAnswer: computeLowerMedian(first),
    solving: computeLowerMedian(solved.map(({ spentMinutes }) => spentMinutes)),
    promise: { kept: inTime + asPromised, of: answered.length + solved.length },
    score: { sum: rated.reduce((sum, { score }) => sum + (score ?? 0), 0), of: rated.length },
  }
}

const countTickets = async (db: Db, where: SQL | undefined) => {
  const [row] = await db.select({ n: sql<number>`count(*)::int` }).from(tickets).where(where)
  return row?.n ?? 0
}

export async function loadSupportFigures(
  db: Db,
  actor: Actor,
  { desk, months }: { desk: SupportTeam; months: number },
) {
  if (desk === 'keeper' && !canManageInstallationSupport(actor)) throw new AppError('not-found')
  const all = listMonthsUntil(getToday(), months)
  const since = Temporal.PlainDate.from(`${all[0]}-01`).toZonedDateTime(PARIS).toInstant().epochMilliseconds
  const mine = and(deskScope(actor), eq(tickets.desk, desk))
  const from = new Date(since)
  const rows = await db
    .select()
    .from(tickets)
    .where(and(mine, or(gte(tickets.createdAt, from), gte(tickets.solvedAt, from), gte(tickets.scoredAt, from))))
  const hours = await loadOwnSupportHours(db, actor, desk)
  const measured = rows.map((row) => ({ ...row, merged: row.mergedInto !== null }))
  const open = and(mine, notInArray(tickets.state, FINISHED_TICKET_STATES))
  return {
    items: all.map((month) => computeMonthFigures(month, measured, hours)),
    open: await countTickets(db, open),
    late: await countTickets(db, and(mine, isLateTicket)),
    unassigned: await countTickets(db, and(open, isNull(tickets.assigneeId))),
  }
}
