import { type Booking, bookings } from '@voisol/contract/bookings'
import type { FastifyInstance } from 'fastify'
import { getClientNetwork } from '../../../http/client-address.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { buildBookingCalendarFile } from './booking-mails.ts'
import { listFreeSlots } from './booking-slots.ts'
import { createBooking } from './bookings.ts'
import {
  buildBookingsFile,
  listAllBookings,
  listBookings,
  loadBooking,
  moveBooking,
  toBooking,
  updateBooking,
} from './manage-bookings.ts'

const HOUR_SECONDS = 3600
/** Slots that others were quicker to take count among the attempts, not among the bookings. */
const MAX_ATTEMPTS_PER_HOUR = 60
const MAX_BOOKINGS_PER_HOUR = 10

/** What the audit log keeps: never who the visitor is, whose data are erased in time. */
const pickAuditedFields = ({ status, day, time, meetingUrl }: Booking) => ({ status, day, time, meetingUrl })

function noteBookingChange({ note }: RouteContext, { before, after }: { before: Booking; after: Booking }): Booking {
  note({ target: after.reference, detail: { before: pickAuditedFields(before), after: pickAuditedFields(after) } })
  return after
}

export function bookingRoutes(app: FastifyInstance) {
  addRoute(app, bookings.slots, (_, { db }) => listFreeSlots(db))
  addRoute(app, bookings.create, async ({ body }, ctx) => {
    const { db, aside, request, note } = ctx
    await throttle(aside, `booking attempt ${getClientNetwork(request.ip)}`, MAX_ATTEMPTS_PER_HOUR, HOUR_SECONDS)
    const throttleBookings = () =>
      throttle(aside, `booking ${getClientNetwork(request.ip)}`, MAX_BOOKINGS_PER_HOUR, HOUR_SECONDS)
    const { companyId, reference, day, time } = await createBooking(db, ctx, body, throttleBookings)
    note({ companyId, target: reference, detail: { day, time } })
    return { success: true as const, message: 'Démonstration confirmée !', reference }
  })

  addRoute(app, bookings.list, ({ query }, { db, actor }) => listBookings(db, actor, query))
  addRoute(app, bookings.export, async ({ query }, { db, actor }) =>
    buildBookingsFile(await listAllBookings(db, actor, query), query.format),
  )
  addRoute(app, bookings.get, async ({ params }, { db, actor }) => toBooking(await loadBooking(db, actor, params.id)))
  addRoute(app, bookings.calendar, async ({ params }, { db, actor, config }) =>
    buildBookingCalendarFile(await loadBooking(db, actor, params.id), config),
  )
  addRoute(app, bookings.update, async ({ params, body }, ctx) =>
    noteBookingChange(ctx, await updateBooking(ctx.db, ctx, ctx.actor, params.id, body)),
  )
  addRoute(app, bookings.move, async ({ params, body }, ctx) =>
    noteBookingChange(ctx, await moveBooking(ctx.db, ctx, ctx.actor, params.id, body)),
  )
}
