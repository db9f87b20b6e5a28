import type { Booking, BookingStatus, bookings as endpoints } from '@voisol/contract/bookings'
import type { ParsedInput } from '@voisol/contract/endpoint'
import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText } from '../../../plain-text.ts'
import type { BookingRow } from './event.ts'
import { BOOKING_STATUS_LABELS, requireBookingTransition } from './life-cycle.ts'
import { sendVisitorMail } from './mails.ts'
import { bookingScope } from './scope.ts'
import { ACTIVE_BOOKING_STATUSES, buildSlotTakenError, isActiveBooking, requireSlot } from './slots.ts'
import { toBooking } from './view.ts'

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
