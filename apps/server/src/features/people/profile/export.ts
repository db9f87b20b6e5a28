import { Readable } from 'node:stream'
import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import {
  auditEntries,
  companies,
  memberships,
  notificationPreferences,
  notifications,
  recoveryCodes,
  sessions,
  signIns,
  ticketMessages,
  tickets,
  users,
} from '../../../db/schema/index.ts'
import { type Entry, zipOf } from '../../../files/zip.ts'
import type { Person } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { datedName } from '../../../http/file-name.ts'
import { findClosedCompanies } from '../../../http/reach.ts'
import { today } from '../../../today.ts'
import { listPasskeys } from '../auth/auth.ts'
import { readingsFile } from './own-readings.ts'
import {
  type DataOwner,
  inCompany,
  ownConsents,
  ownInvoices,
  ownMandates,
  ownParticipants,
  ownPayments,
  ownSeats,
  ownTokens,
} from './own-records.ts'
import { type ExportScope, ownTables, readMe, tableText } from './own-tables.ts'

/** Everything held about a person (GDPR, right of access). What proves who they are stays out: hashes and secrets. */
async function gather(db: Db, owner: DataOwner) {
  return {
    exportedAt: new Date(),
    account: await account(db, owner),
    memberships: await ownMemberships(db, owner),
    passkeys: await ownPasskeys(db, owner),
    sessions: await ownSessions(db, owner),
    tokens: await ownTokens(db, owner),
    participants: await ownParticipants(db, owner),
    meters: await ownSeats(db, owner),
    consents: await ownConsents(db, owner),
    mandates: await ownMandates(db, owner),
    invoices: await ownInvoices(db, owner),
    payments: await ownPayments(db, owner),
    notificationPreferences: await preferences(db, owner),
    notifications: await ownNotifications(db, owner),
    tickets: await ownTickets(db, owner),
    auditEntries: await ownEntries(db, owner),
  }
}
export type OwnData = Awaited<ReturnType<typeof gather>>

const sides: Record<string, string> = { consumption: 'consommation', production: 'production' }
const meterFile = ({ prm, direction }: OwnData['meters'][number]) =>
  `mesures-${prm}-${sides[direction] ?? direction}.csv`

/** One file after the other: the readings of one meter are in memory at a time. */
async function* filesOf(db: Db, data: OwnData, scope: ExportScope): AsyncGenerator<Entry> {
  const file = (name: string, text: string): Entry => ({ name, content: Buffer.from(text), on: today(), text: true })
  const tables = ownTables(data)
  const meters = Map.groupBy(data.meters, meterFile)
  const measured: string[] = []
  for (const [name, seats] of meters) {
    const text = await readingsFile(db, seats)
    if (text === null) continue
    measured.push(name)
    yield file(name, text)
  }
  yield file('LISEZ-MOI.txt', readMe(tables, measured, scope))
  yield file('mes-donnees.json', `${JSON.stringify(data, null, 2)}\n`)
  for (const table of tables) yield file(table.name, tableText(table))
}

/** In a session opened for one company, what is of that company; in another, what is of the companies that it may enter. */
export async function exportData(db: Db, actor: Person) {
  const { userId, openedFor } = actor
  const closed = await findClosedCompanies(db, actor)
  const data = await gather(db, { userId, companyId: openedFor, leftOut: closed.map(({ id }) => id) })
  const names = closed.map(({ name }) => name)
  return {
    name: datedName('mes-donnees-voisol', 'zip'),
    content: Readable.from(zipOf(filesOf(db, data, { ofOneCompany: openedFor !== null, leftOut: names }))),
  }
}

async function account(db: Db, { userId, companyId }: DataOwner) {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      phone: users.phone,
      secondFactorSince: users.totpEnabledAt,
      lastSignInAt: signIns.at,
      createdAt: users.createdAt,
    })
    .from(users)
    .leftJoin(signIns, eq(signIns.userId, users.id))
    .where(eq(users.id, userId))
  if (!user) throw new AppError('not-found')
  if (companyId !== null) {
    const { secondFactorSince: _since, lastSignInAt: _last, ...identity } = user
    return identity
  }
  const [codes] = await db
    .select({ n: count() })
    .from(recoveryCodes)
    .where(sql`${eq(recoveryCodes.userId, userId)} and ${isNull(recoveryCodes.usedAt)}`)
  return { ...user, recoveryCodesLeft: codes?.n ?? 0 }
}

const ownMemberships = (db: Db, { userId, ...where }: DataOwner) =>
  db
    .select({
      companyId: memberships.companyId,
      companyName: companies.name,
      role: memberships.role,
      operationIds: memberships.operationIds,
      invitedFirstName: memberships.invitedFirstName,
      invitedLastName: memberships.invitedLastName,
      acceptedAt: memberships.acceptedAt,
      disabledAt: memberships.disabledAt,
      createdAt: memberships.createdAt,
    })
    .from(memberships)
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(and(eq(memberships.userId, userId), inCompany(memberships.companyId, where)))
    .orderBy(asc(memberships.companyId))

/** What opens the account, and what it is told, holds in every company: a company's own archive leaves it out. */
const ownPasskeys = async (db: Db, { userId, companyId }: DataOwner) =>
  companyId !== null
    ? []
    : (await listPasskeys(db, userId)).map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt }))

const ownSessions = (db: Db, { userId, companyId }: DataOwner) =>
  db
    .select({
      companyId: sessions.companyId,
      openedWith: sessions.openedWith,
      ip: sessions.ip,
      userAgent: sessions.userAgent,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), companyId === null ? undefined : eq(sessions.openedFor, companyId)))
    .orderBy(desc(sessions.lastSeenAt))

const preferences = async (db: Db, { userId, companyId }: DataOwner) =>
  companyId !== null
    ? []
    : db
        .select({
          category: notificationPreferences.category,
          channel: notificationPreferences.channel,
          enabled: notificationPreferences.enabled,
        })
        .from(notificationPreferences)
        .where(eq(notificationPreferences.userId, userId))

const ownNotifications = (db: Db, { userId, ...where }: DataOwner) =>
  db
    .select({
      companyId: notifications.companyId,
      category: notifications.category,
      type: notifications.type,
      priority: notifications.priority,
      title: notifications.title,
      message: notifications.message,
      readAt: notifications.readAt,
      archivedAt: notifications.archivedAt,
      createdAt: notifications.createdAt,
    })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), inCompany(notifications.companyId, where)))
    .orderBy(desc(notifications.createdAt))

/** What was asked, and what was answered; what others sent in their name, or the desk noted for itself, is not theirs. */
const ownTickets = (db: Db, { userId, ...where }: DataOwner) =>
  db
    .select({
      companyId: tickets.companyId,
      number: tickets.number,
      subject: tickets.subject,
      state: tickets.state,
      side: ticketMessages.side,
      body: ticketMessages.body,
      writtenAt: ticketMessages.createdAt,
      score: tickets.score,
      scoreWord: tickets.scoreWord,
    })
    .from(tickets)
    .innerJoin(
      ticketMessages,
      and(eq(ticketMessages.companyId, tickets.companyId), eq(ticketMessages.ticketId, tickets.id)),
    )
    .where(and(eq(tickets.askerId, userId), inCompany(tickets.companyId, where), isNull(ticketMessages.heldFrom)))
    .orderBy(asc(tickets.createdAt), asc(ticketMessages.createdAt))

/** What the person did; the values before and after are left out, they may be about somebody else. */
const ownEntries = (db: Db, { userId, ...where }: DataOwner) =>
  db
    .select({
      companyId: auditEntries.companyId,
      at: auditEntries.at,
      action: auditEntries.action,
      label: auditEntries.label,
      target: auditEntries.target,
      outcome: auditEntries.outcome,
      ip: auditEntries.ip,
    })
    .from(auditEntries)
    .where(and(eq(auditEntries.userId, userId), inCompany(auditEntries.companyId, where)))
    .orderBy(desc(auditEntries.at))
