import type { BookingRequest } from '@voisol/contract/bookings'
import { and, count, eq, gt, sql } from 'drizzle-orm'
import { record } from '../../../core/events.ts'
import { siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { fieldError } from '../../../http/errors.ts'
import { oneLine, plainText, requiredLine } from '../../../plain-text.ts'
import { dayWanted } from './days.ts'
import type { BookingRow } from './event.ts'
import { tellVisitor } from './mails.ts'
import { newReference } from './reference.ts'
import { isHeld, requireSlot, slotTaken } from './slots.ts'

export { isWorkingDay, startOf } from './days.ts'
export { newReference } from './reference.ts'

const MOST_TO_COME = 3
const ATTEMPTS = 5

const holderOf = async (tx: Db, startsAt: Date) =>
  (
    await tx
      .select()
      .from(bookings)
      .where(and(isHeld, eq(bookings.startsAt, startsAt)))
  )[0]

async function requireRoom(tx: Db, email: string) {
  const [row] = await tx
    .select({ n: count() })
    .from(bookings)
    .where(and(isHeld, eq(bookings.email, email), gt(bookings.startsAt, new Date())))
  if ((row?.n ?? 0) >= MOST_TO_COME)
    throw fieldError(
      'email',
      `Cette adresse a déjà ${MOST_TO_COME} démonstrations à venir, le plus qu’il soit possible d’en réserver.`,
    )
}

const cleaned = (input: BookingRequest) => ({
  firstName: requiredLine('firstName', input.firstName),
  lastName: requiredLine('lastName', input.lastName),
  company: requiredLine('company', input.company),
  email: input.email,
  phone: oneLine(input.phone),
  projectType: input.projectType,
  message: plainText(input.message),
})

/** The index of the database decides between those who ask at once; a reference drawn twice is drawn again. */
async function insert(tx: Db, values: Omit<typeof bookings.$inferInsert, 'reference'>): Promise<BookingRow> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [row] = await tx
      .insert(bookings)
      .values({ ...values, reference: newReference() })
      .onConflictDoNothing()
      .returning()
    if (row) return row
    if (await holderOf(tx, values.startsAt)) break
  }
  throw slotTaken()
}

/** Books a half hour; the same person asking for it again is given the same booking. `made` runs before it is kept. */
export async function book(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  input: BookingRequest,
  made: () => Promise<void>,
): Promise<BookingRow> {
  const person = cleaned(input)
  const day = dayWanted(input.date)
  const startsAt = requireSlot(day, input.time, 'date')
  // One at a time per person, so that two cannot each find room for the last.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`booking ${person.email}`}, 0))`)
  const holder = await holderOf(tx, startsAt)
  if (holder?.email === person.email) return holder
  if (holder) throw slotTaken()
  await requireRoom(tx, person.email)
  const row = await insert(tx, {
    companyId: await siteCompany(tx),
    status: 'booked',
    startsAt,
    day,
    time: input.time,
    ...person,
  })
  await made()
  await tellVisitor(tx, post, row, 'booked')
  await record(tx, { companyId: row.companyId, name: 'booking.placed', object: row.id, data: { id: row.id } })
  return row
}
