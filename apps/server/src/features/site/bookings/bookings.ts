import { randomInt } from 'node:crypto'
import type { BookingRequest } from '@voisol/contract/bookings'
import { and, count, eq, gt, sql } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { fieldError } from '../../../http/errors.ts'
import { normalizePlainText, requireSingleLine, toSingleLine } from '../../../plain-text.ts'
import { type BookingRow, sendVisitorMail } from './booking-mails.ts'
import { buildSlotTakenError, isActiveBooking, parseRequestedDay, requireSlot } from './booking-slots.ts'

const MAX_UPCOMING_BOOKINGS = 3
const MAX_REFERENCE_ATTEMPTS = 5

const findSlotHolder = async (tx: Db, startsAt: Date) =>
  (
    await tx
      .select()
      .from(bookings)
      .where(and(isActiveBooking, eq(bookings.startsAt, startsAt)))
  )[0]

async function requireBookingQuota(tx: Db, email: string) {
  const [row] = await tx
    .select({ n: count() })
    .from(bookings)
    .where(and(isActiveBooking, eq(bookings.email, email), gt(bookings.startsAt, new Date())))
  if ((row?.n ?? 0) >= MAX_UPCOMING_BOOKINGS)
    throw fieldError(
      'email',
      `Cette adresse a déjà ${MAX_UPCOMING_BOOKINGS} démonstrations à venir, le plus qu’il soit possible d’en réserver.`,
    )
}

const cleanRequest = (input: BookingRequest) => ({
  firstName: requireSingleLine('firstName', input.firstName),
  lastName: requireSingleLine('lastName', input.lastName),
  company: requireSingleLine('company', input.company),
  email: input.email,
  phone: toSingleLine(input.phone),
  projectType: input.projectType,
  message: normalizePlainText(input.message),
})

/** The index of the database decides between those who ask at once; a reference drawn twice is drawn again. */
async function insertBooking(tx: Db, values: Omit<typeof bookings.$inferInsert, 'reference'>): Promise<BookingRow> {
  for (let attempt = 0; attempt < MAX_REFERENCE_ATTEMPTS; attempt++) {
    const [row] = await tx
      .insert(bookings)
      .values({ ...values, reference: generateBookingReference() })
      .onConflictDoNothing()
      .returning()
    if (row) return row
    if (await findSlotHolder(tx, values.startsAt)) break
  }
  throw buildSlotTakenError()
}

/** Books a half hour; the same person asking for it again is given the same booking. `made` runs before it is kept. */
export async function createBooking(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  input: BookingRequest,
  onCreated: () => Promise<void>,
): Promise<BookingRow> {
  const person = cleanRequest(input)
  const day = parseRequestedDay(input.date)
  const startsAt = requireSlot(day, input.time, 'date')
  // One at a time per person, so that two cannot each find room for the last.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`booking ${person.email}`}, 0))`)
  const holder = await findSlotHolder(tx, startsAt)
  if (holder?.email === person.email) return holder
  if (holder) throw buildSlotTakenError()
  await requireBookingQuota(tx, person.email)
  const row = await insertBooking(tx, {
    companyId: await loadSiteOwnerId(tx),
    status: 'booked',
    startsAt,
    day,
    time: input.time,
    ...person,
  })
  await onCreated()
  await sendVisitorMail(tx, post, row, 'booked')
  await recordEvent(tx, { companyId: row.companyId, name: 'booking.placed', object: row.id, data: { id: row.id } })
  return row
}

/** Without those that are taken for one another when read aloud or copied: 0 O, 1 I L, 8 B, 5 S. */
const REFERENCE_ALPHABET = '234679ACDEFGHJKMNPQRTUVWXYZ'

/** `D-7K3QX9` */
export const generateBookingReference = () =>
  `D-${Array.from({ length: 6 }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('')}`
