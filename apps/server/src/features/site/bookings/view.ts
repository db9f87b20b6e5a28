import type { Booking, bookings as endpoints } from '@voisol/contract/bookings'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, asc, count, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list.ts'
import { bookings } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { BookingRow } from './event.ts'
import { bookingScope } from './scope.ts'

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
