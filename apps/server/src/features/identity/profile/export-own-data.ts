import { Readable } from 'node:stream'
import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { PAYMENT_KIND_LABELS, PAYMENT_METHOD_LABELS } from '@voisol/contract/payment-labels'
import { dayStart, localTime, offsetAt } from '@voisol/energy/calendar'
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
import { type SpreadsheetCell, writeCsv } from '../../../files/csv.ts'
import { createZipStream, type ZipEntryInput } from '../../../files/zip.ts'
import type { PersonActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDatedFileName } from '../../../http/response-text.ts'
import { findCompaniesClosedToSession } from '../../../http/session-scope.ts'
import { getToday } from '../../../today.ts'
import { listPasskeys } from '../auth/index.ts'
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

type MeterPeriod = { companyId: number; pointId: string; startsOn: string; endsOn: string | null }
type CurveDayRow = { day: string; step: number; watts: Buffer; marks: Buffer | null; quality: number }

const QUALITY_LABELS = ['manquant', 'mesuré', 'corrigé', 'estimé', 'douteux']
const HEADER = ['Début (heure de Paris)', 'Heure légale', 'Puissance moyenne (W)', 'Qualité']
const MISSING_VALUE = -1
const INT_BYTES = 4
const padTwo = (value: number) => String(value).padStart(2, '0')

function formatStepStart(minute: number): string[] {
  const { day, minuteOfDay } = localTime(minute)
  const clock = `${padTwo(Math.floor(minuteOfDay / 60))}:${padTwo(minuteOfDay % 60)}`
  return [
    `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)} ${clock}`,
    offsetAt(minute) === 120 ? 'heure d’été' : 'heure d’hiver',
  ]
}

/** A missing step is an empty cell, never a zero. */
const toCsvRows = ({ day, step, watts, marks, quality }: CurveDayRow): SpreadsheetCell[][] =>
  Array.from({ length: watts.length / INT_BYTES }, (_, at) => {
    const value = watts.readInt32LE(at * INT_BYTES)
    const known = value !== MISSING_VALUE
    return [
      ...formatStepStart(dayStart(day) + at * step),
      known ? value : null,
      QUALITY_LABELS[known ? (marks?.[at] ?? quality) : 0] ?? '',
    ]
  })

/** The readings of a meter during the days on which the person held it: other days belong to somebody else. */
async function loadReadingsCsv(db: Db, periods: MeterPeriod[]): Promise<string | null> {
  const found: SpreadsheetCell[][] = []
  for (const { companyId, pointId, startsOn, endsOn } of periods) {
    const { rows } = await db.execute<CurveDayRow>(sql`
      select day::text as day, step, watts, marks, quality from curve_days
       where company_id = ${companyId} and point_id = ${pointId} and superseded_at is null
         and day >= ${startsOn} and (${endsOn}::date is null or day < ${endsOn}::date) order by day`)
    found.push(...rows.flatMap(toCsvRows))
  }
  return found.length ? writeCsv(HEADER, found) : null
}

type ExportTable = { name: string; what: string; header: string[]; rows: SpreadsheetCell[][] }

const DIRECTION_LABELS: Record<string, string> = { consumption: 'consommation', production: 'production' }
const PURPOSE_LABELS: Record<string, string> = {
  collection: 'Collecte de mes mesures',
  analysis: 'Analyse de ma consommation',
  comparison: 'Comparaison avec mes voisins',
  advice: 'Conseils personnalisés',
}
/** A stored value without a label, from a newer release, is shown as it is. */
const getLabel = (words: Record<string, string>, name: string) => words[name] ?? name
const toEuros = (cents: number) => cents / 100
const formatDay = (at: Date | null) => at?.toISOString().slice(0, 10) ?? null

/** The most useful data as CSV files for a spreadsheet. */
function buildExportTables(data: OwnData): ExportTable[] {
  return [
    {
      name: 'compteurs.csv',
      what: 'vos compteurs et les opérations auxquelles ils prennent part',
      header: ['PRM', 'Sens', 'Nom', 'Titulaire', 'Opération', 'Depuis le', 'Jusqu’au'],
      rows: data.meters.map((one) => [
        one.prm,
        getLabel(DIRECTION_LABELS, one.direction),
        one.label,
        one.participant,
        one.operation,
        one.startsOn,
        one.endsOn,
      ]),
    },
    {
      name: 'consentements.csv',
      what: 'ce que vous avez accepté ou retiré, et quand',
      header: ['Titulaire', 'Finalité', 'Version du texte', 'Donné le', 'Valable jusqu’au', 'Retiré le'],
      rows: data.consents.map((one) => [
        one.participant,
        getLabel(PURPOSE_LABELS, one.purpose),
        one.textVersion,
        formatDay(one.givenAt),
        one.expiresOn,
        formatDay(one.withdrawnAt),
      ]),
    },
    {
      name: 'factures.csv',
      what: 'vos factures et vos avoirs',
      header: ['Numéro', 'Nature', 'Émise le', 'Échéance', 'Du', 'Au', 'kWh', 'Hors taxes (€)', 'TVA (€)', 'Total (€)'],
      rows: data.invoices.map((one) => [
        one.number,
        getLabel(INVOICE_KIND_LABELS, one.kind),
        one.issuedOn,
        one.dueOn,
        one.from,
        one.to,
        one.wh / 1000,
        toEuros(one.netCents),
        toEuros(one.taxCents),
        toEuros(one.grossCents),
      ]),
    },
    {
      name: 'paiements.csv',
      what: 'vos paiements, remboursements et rejets',
      header: ['Date', 'Nature', 'Moyen', 'Montant (€)', 'Libellé'],
      rows: data.payments.map((one) => [
        one.bookedOn,
        getLabel(PAYMENT_KIND_LABELS, one.kind),
        getLabel(PAYMENT_METHOD_LABELS, one.method),
        toEuros(one.amountCents),
        one.note,
      ]),
    },
    {
      name: 'questions.csv',
      what: 'vos questions et les réponses reçues',
      header: ['Demande', 'Sujet', 'Écrit le', 'Par', 'Message'],
      rows: data.tickets.map((one) => [
        one.number,
        one.subject,
        formatDay(one.writtenAt),
        one.side === 'asker' ? 'vous' : 'l’organisateur',
        one.body,
      ]),
    },
  ]
}

const toTableCsv = ({ header, rows }: ExportTable) => writeCsv(header, rows)

/** The first file one opens: what the others are. */
/** What the archive covers: one company, or all except the named ones that the session may not enter. */
type ExportScope = { ofOneCompany: boolean; leftOut: string[] }

const EXCLUDED_COMPANIES_ADVICE =
  'Pour recevoir les données de ces organisations, entrez comme elles le demandent\u00a0: par leur connexion d’entreprise, ou avec la double authentification.'

function toIntroduction({ ofOneCompany, leftOut }: ExportScope): string[] {
  if (ofOneCompany)
    return [
      'Cette archive contient ce que Voisol garde à votre sujet pour l’organisation à laquelle vous vous êtes connecté par la connexion d’entreprise. Pour tout recevoir, connectez-vous avec votre mot de passe.',
    ]
  if (!leftOut.length) return ['Cette archive contient tout ce que Voisol garde à votre sujet.']
  return [
    `Cette archive contient ce que Voisol garde à votre sujet, sauf pour\u00a0: ${leftOut.join(', ')}.`,
    EXCLUDED_COMPANIES_ADVICE,
  ]
}

const buildReadMe = (tables: ExportTable[], meters: string[], scope: ExportScope) =>
  [
    'VOS DONNÉES',
    '',
    ...toIntroduction(scope),
    'Les fichiers .csv s’ouvrent avec un tableur. Le fichier .json se lit par un programme.',
    '',
    ...tables.map(({ name, what }) => `${name}\u00a0: ${what}.`),
    ...meters.map(
      (name) =>
        `${name}\u00a0: les mesures de ce compteur, pendant votre participation. Une case vide est une mesure qui manque.`,
    ),
    'mes-donnees.json\u00a0: tout ce qui précède, avec votre compte, vos sessions, vos mandats, vos messages et vos actions.',
    '',
    'Vos mots de passe, vos clés et votre numéro de compte bancaire complet n’y sont pas, pour votre sécurité.',
    '',
  ].join('\r\n')

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
type OwnData = Awaited<ReturnType<typeof loadOwnData>>
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
