import type { Booking, BookingStatus, bookings as endpoints } from '@voisol/contract/bookings'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, asc, count, eq, gte, lt, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { bookings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText } from '../../../plain-text.ts'
import { type BookingRow, sendVisitorMail } from './booking-mails.ts'
import { ACTIVE_BOOKING_STATUSES, buildSlotTakenError, isActiveBooking, requireSlot } from './booking-slots.ts'

/** Of the company that keeps the site: nobody else's access reaches here. */
const bookingScope = (actor: Actor) => eq(bookings.companyId, actor.companyId)

const BOOKING_STATUS_LABELS: Record<BookingStatus, string> = {
  booked: 'Réservée',
  confirmed: 'Confirmée',
  done: 'Effectuée',
  'no-show': 'Absent',
  cancelled: 'Annulée',
}

export const NEXT_BOOKING_STATUSES: Record<BookingStatus, BookingStatus[]> = {
  booked: ['confirmed', 'cancelled'],
  confirmed: ['done', 'no-show', 'cancelled'],
  done: [],
  'no-show': [],
  cancelled: [],
}

const quoteStatus = (status: BookingStatus) => `«\u00a0${BOOKING_STATUS_LABELS[status]}\u00a0»`

function requireBookingTransition(
  { status, startsAt }: { status: BookingStatus; startsAt: Date },
  wanted: BookingStatus,
) {
  if (!NEXT_BOOKING_STATUSES[status].includes(wanted)) {
    const possible = NEXT_BOOKING_STATUSES[status].map(quoteStatus).join(', ') || 'aucun autre'
    throw new AppError('invalid-transition', {
      message: `Une réservation à l’état ${quoteStatus(status)} ne peut pas passer à ${quoteStatus(wanted)}\u00a0; états possibles\u00a0: ${possible}.`,
    })
  }
  if ((wanted === 'done' || wanted === 'no-show') && startsAt.getTime() > Date.now())
    throw new AppError('invalid-transition', { message: 'Cette démonstration n’a pas encore commencé.' })
}

type Query = ParsedInput<typeof endpoints.list>['query']

/** The order of the life cycle, not of the alphabet. */
const statusOrder = sql`array_position(array['booked', 'confirmed', 'done', 'no-show', 'cancelled'], ${bookings.status})`
const SORTS = {
  startsAt: bookings.startsAt,
  reference: bookings.reference,
  status: statusOrder,
  name: sql`fold(concat_ws(' ', ${bookings.lastName}, ${bookings.firstName}))`,
  company: sql`fold(${bookings.company})`,
  email: bookings.email,
  projectType: sql`fold(${bookings.projectType})`,
  createdAt: bookings.createdAt,
}

export const toBooking = ({ companyId: _, sequence: _sequence, ...row }: BookingRow) =>
  ({ ...row, startsAt: row.startsAt.toISOString(), createdAt: row.createdAt.toISOString() }) as Booking // statuses are those written here

const buildBookingFilter = (actor: Actor, { q, status, from, to }: Query) => {
  const { reference, firstName, lastName, email, phone, company, projectType } = bookings
  return and(
    bookingScope(actor),
    status && eq(bookings.status, status),
    from ? gte(bookings.day, from) : undefined,
    to ? lt(bookings.day, to) : undefined,
    matchesSearchWords(q, [reference, firstName, lastName, email, phone, company, projectType]),
  )
}
const getBookingOrder = (sort: string | undefined) =>
  [buildOrderBy(sort, SORTS, '-startsAt'), asc(bookings.id)] as const

export async function listBookings(db: Db, actor: Actor, query: Query) {
  const where = buildBookingFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(bookings)
    .where(where)
    .orderBy(...getBookingOrder(query.sort))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(bookings).where(where)
  return { items: rows.map(toBooking), total: all?.n ?? 0 }
}

/** The same in the same order, without pages. */
export const listAllBookings = async (db: Db, actor: Actor, query: Query) =>
  (
    await db
      .select()
      .from(bookings)
      .where(buildBookingFilter(actor, query))
      .orderBy(...getBookingOrder(query.sort))
  ).map(toBooking)

export async function loadBooking(db: Db, actor: Actor, id: string): Promise<BookingRow> {
  const [row] = await db
    .select()
    .from(bookings)
    .where(and(bookingScope(actor), eq(bookings.id, id)))
  if (!row) throw new AppError('not-found')
  return row
}

const HEADER = [
  'Référence',
  'État',
  'Jour',
  'Heure',
  'Prénom',
  'Nom',
  'E-mail',
  'Téléphone',
  'Entreprise',
  'Type de projet',
  'Message',
  'Visioconférence',
  'Note',
  'Réservée le',
]
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
})

export const buildBookingsFile = (bookings: Booking[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'reservations',
    format,
    HEADER,
    bookings.map((row) => [
      row.reference,
      BOOKING_STATUS_LABELS[row.status],
      row.day,
      row.time,
      row.firstName,
      row.lastName,
      row.email,
      row.phone,
      row.company,
      row.projectType,
      row.message,
      row.meetingUrl,
      row.note,
      DATE_TIME_FORMAT.format(new Date(row.createdAt)),
    ]),
  )

type MailDeps = Pick<Deps, 'secrets' | 'config'>
type BookingChange = { before: Booking; after: Booking }
type UpdateBookingInput = ParsedInput<typeof endpoints.update>['body']
type MoveBookingInput = ParsedInput<typeof endpoints.move>['body']

async function lockBooking(tx: Db, actor: Actor, id: string): Promise<BookingRow> {
  const [row] = await tx
    .select()
    .from(bookings)
    .where(and(bookingScope(actor), eq(bookings.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

async function saveBooking(tx: Db, actor: Actor, row: BookingRow, values: Partial<BookingRow>): Promise<BookingRow> {
  const [saved] = await tx
    .update(bookings)
    .set({ ...values, version: row.version + 1 })
    .where(and(bookingScope(actor), eq(bookings.id, row.id)))
    .returning()
  if (!saved) throw new AppError('not-found')
  return saved
}

/** What the visitor must learn of a change; nothing of what is over. */
function getVisitorNews(
  before: BookingRow,
  status: BookingStatus,
  meetingUrl: string,
): 'confirmed' | 'cancelled' | undefined {
  if (before.startsAt.getTime() < Date.now()) return undefined
  if (status === 'confirmed' && (before.status !== status || before.meetingUrl !== meetingUrl)) return 'confirmed'
  return status === 'cancelled' && before.status !== status ? 'cancelled' : undefined
}

export async function updateBooking(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  input: UpdateBookingInput,
): Promise<BookingChange> {
  const row = await lockBooking(tx, actor, id)
  const before = toBooking(row)
  requireCurrentVersion(before, input)
  const { status = before.status, meetingUrl = row.meetingUrl } = input
  if (status !== before.status) requireBookingTransition({ status: before.status, startsAt: row.startsAt }, status)
  const news = getVisitorNews(row, status, meetingUrl)
  if (news === 'confirmed' && !meetingUrl)
    throw fieldError('meetingUrl', 'Indiquez l’adresse de la visioconférence\u00a0: elle est envoyée au visiteur.')
  const after = await saveBooking(tx, actor, row, {
    status,
    meetingUrl,
    note: input.note === undefined ? row.note : normalizePlainText(input.note),
    sequence: row.sequence + (news ? 1 : 0),
  })
  if (news) await sendVisitorMail(tx, post, after, news)
  return { before, after: toBooking(after) }
}

export async function moveBooking(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  input: MoveBookingInput,
): Promise<BookingChange> {
  const row = await lockBooking(tx, actor, id)
  const before = toBooking(row)
  requireCurrentVersion(before, input)
  if (!ACTIVE_BOOKING_STATUSES.includes(row.status))
    throw new AppError('invalid-transition', {
      message: `Une réservation à l’état «\u00a0${BOOKING_STATUS_LABELS[before.status]}\u00a0» ne se déplace plus.`,
    })
  const startsAt = requireSlot(input.day, input.time, 'day')
  if (startsAt.getTime() === row.startsAt.getTime())
    throw fieldError('time', 'La démonstration a déjà lieu à ce moment\u00a0: choisissez-en un autre.')
  await requireFreeSlot(tx, row, startsAt)
  const { day, time } = input
  const after = await saveBooking(tx, actor, row, { startsAt, day, time, sequence: row.sequence + 1 }).catch(
    (error) => {
      throw isSlotConflict(error) ? buildSlotTakenError() : error
    },
  )
  await sendVisitorMail(tx, post, after, 'moved')
  return { before, after: toBooking(after) }
}

async function requireFreeSlot(tx: Db, { id }: BookingRow, startsAt: Date) {
  const [holder] = await tx
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(isActiveBooking, eq(bookings.startsAt, startsAt), ne(bookings.id, id)))
  if (holder) throw buildSlotTakenError()
}

/** Two who ask at the same instant both find it free; the index lets one of them in. */
function isSlotConflict(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    // On a cluster the number of its part follows the name.
    if ('constraint' in at && /^bookings_slot(_\d+)?$/.test(String(at.constraint))) return true
  return false
}
