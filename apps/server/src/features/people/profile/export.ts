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
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import type { PersonActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/file-name.ts'
import { findCompaniesClosedToSession } from '../../../http/reach.ts'
import { getToday } from '../../../today.ts'
import { listPasskeys } from '../auth/auth.ts'
import { loadReadingsCsv } from './own-readings.ts'
import {
  type DataOwner,
  isInExportScope,
  listOwnConsents,
  listOwnInvoices,
  listOwnMandates,
  listOwnParticipants,
  listOwnParticipations,
  listOwnPayments,
  listOwnTokens,
} from './own-records.ts'
import { buildExportTables, buildReadMe, type ExportScope, toTableCsv } from './own-tables.ts'

/** All data about a person (GDPR, right of access), without credentials: hashes and secrets. */
async function loadOwnData(db: Db, owner: DataOwner) {
  return {
    exportedAt: new Date(),
    account: await loadAccountData(db, owner),
    memberships: await listOwnMemberships(db, owner),
    passkeys: await listOwnPasskeys(db, owner),
    sessions: await listOwnSessionData(db, owner),
    tokens: await listOwnTokens(db, owner),
    participants: await listOwnParticipants(db, owner),
    meters: await listOwnParticipations(db, owner),
    consents: await listOwnConsents(db, owner),
    mandates: await listOwnMandates(db, owner),
    invoices: await listOwnInvoices(db, owner),
    payments: await listOwnPayments(db, owner),
    notificationPreferences: await listOwnPreferences(db, owner),
    notifications: await listOwnNotifications(db, owner),
    tickets: await listOwnTickets(db, owner),
    auditEntries: await listOwnAuditEntries(db, owner),
  }
}
export type OwnData = Awaited<ReturnType<typeof loadOwnData>>

const DIRECTION_LABELS: Record<string, string> = { consumption: 'consommation', production: 'production' }
const getMeterFileName = ({ prm, direction }: OwnData['meters'][number]) =>
  `mesures-${prm}-${DIRECTION_LABELS[direction] ?? direction}.csv`

/** Files are generated one by one, so that only the readings of one meter are in memory. */
async function* generateExportFiles(db: Db, data: OwnData, scope: ExportScope): AsyncGenerator<ZipEntryInput> {
  const file = (name: string, text: string): ZipEntryInput => ({
    name,
    content: Buffer.from(text),
    on: getToday(),
    text: true,
  })
  const tables = buildExportTables(data)
  const meters = Map.groupBy(data.meters, getMeterFileName)
  const measured: string[] = []
  for (const [name, periods] of meters) {
    const text = await loadReadingsCsv(db, periods)
    if (text === null) continue
    measured.push(name)
    yield file(name, text)
  }
  yield file('LISEZ-MOI.txt', buildReadMe(tables, measured, scope))
  yield file('mes-donnees.json', `${JSON.stringify(data, null, 2)}\n`)
  for (const table of tables) yield file(table.name, toTableCsv(table))
}

/**
 * A session opened for one company exports the data of that company; another one, the data of the companies that it may
 * enter.
 */
export async function exportOwnData(db: Db, actor: PersonActor) {
  const { userId, openedFor } = actor
  const closed = await findCompaniesClosedToSession(db, actor)
  const data = await loadOwnData(db, { userId, companyId: openedFor, leftOut: closed.map(({ id }) => id) })
  const names = closed.map(({ name }) => name)
  return {
    name: buildDatedFileName('mes-donnees-voisol', 'zip'),
    content: Readable.from(
      createZipStream(generateExportFiles(db, data, { ofOneCompany: openedFor !== null, leftOut: names })),
    ),
  }
}

async function loadAccountData(db: Db, { userId, companyId }: DataOwner) {
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

const listOwnMemberships = (db: Db, { userId, ...where }: DataOwner) =>
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
    .where(and(eq(memberships.userId, userId), isInExportScope(memberships.companyId, where)))
    .orderBy(asc(memberships.companyId))

/** What opens the account, and what it is told, holds in every company: a company's own archive leaves it out. */
const listOwnPasskeys = async (db: Db, { userId, companyId }: DataOwner) =>
  companyId !== null
    ? []
    : (await listPasskeys(db, userId)).map(({ name, createdAt, lastUsedAt }) => ({ name, createdAt, lastUsedAt }))

const listOwnSessionData = (db: Db, { userId, companyId }: DataOwner) =>
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

const listOwnPreferences = async (db: Db, { userId, companyId }: DataOwner) =>
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

const listOwnNotifications = (db: Db, { userId, ...where }: DataOwner) =>
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
    .where(and(eq(notifications.userId, userId), isInExportScope(notifications.companyId, where)))
    .orderBy(desc(notifications.createdAt))

/** Questions and answers, without messages sent by others in the person's name and without internal notes. */
const listOwnTickets = (db: Db, { userId, ...where }: DataOwner) =>
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
    .where(and(eq(tickets.askerId, userId), isInExportScope(tickets.companyId, where), isNull(ticketMessages.heldFrom)))
    .orderBy(asc(tickets.createdAt), asc(ticketMessages.createdAt))

/** The actions of the person; changed values are left out, because they may be about somebody else. */
const listOwnAuditEntries = (db: Db, { userId, ...where }: DataOwner) =>
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
    .where(and(eq(auditEntries.userId, userId), isInExportScope(auditEntries.companyId, where)))
    .orderBy(desc(auditEntries.at))
