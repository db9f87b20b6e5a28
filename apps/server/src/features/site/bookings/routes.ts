import { type Booking, bookings } from '@voisol/contract/bookings'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../../../http/network.ts'
import { type Context, route } from '../../../http/route.ts'
import { throttle } from '../../../http/throttle.ts'
import { book } from './bookings.ts'
import { moveBooking, updateBooking } from './change.ts'
import { bookingFile } from './event.ts'
import { bookingsFile } from './export.ts'
import { freeSlots } from './slots.ts'
import { allBookings, findBooking, listBookings, toBooking } from './view.ts'

const HOUR = 3600
/** Slots that others were quicker to take count among the attempts, not among the bookings. */
const ATTEMPTS_PER_HOUR = 60
const BOOKINGS_PER_HOUR = 10

/** What the audit log keeps: never who the visitor is, whose data are erased in time. */
const facts = ({ status, day, time, meetingUrl }: Booking) => ({ status, day, time, meetingUrl })

function changed({ note }: Context, { before, after }: { before: Booking; after: Booking }): Booking {
  note({ target: after.reference, detail: { before: facts(before), after: facts(after) } })
  return after
}

export function bookingRoutes(app: FastifyInstance) {
  route(app, bookings.slots, (_, { db }) => freeSlots(db))
  route(app, bookings.create, async ({ body }, ctx) => {
    const { db, aside, request, note } = ctx
    await throttle(aside, `booking attempt ${networkOf(request.ip)}`, ATTEMPTS_PER_HOUR, HOUR)
    const made = () => throttle(aside, `booking ${networkOf(request.ip)}`, BOOKINGS_PER_HOUR, HOUR)
    const { companyId, reference, day, time } = await book(db, ctx, body, made)
    note({ companyId, target: reference, detail: { day, time } })
    return { success: true as const, message: 'Démonstration confirmée !', reference }
  })

  route(app, bookings.list, ({ query }, { db, actor }) => listBookings(db, actor, query))
  route(app, bookings.export, async ({ query }, { db, actor }) =>
    bookingsFile(await allBookings(db, actor, query), query.format),
  )
  route(app, bookings.get, async ({ params }, { db, actor }) => toBooking(await findBooking(db, actor, params.id)))
  route(app, bookings.calendar, async ({ params }, { db, actor, config }) =>
    bookingFile(await findBooking(db, actor, params.id), config),
  )
  route(app, bookings.update, async ({ params, body }, ctx) =>
    changed(ctx, await updateBooking(ctx.db, ctx, ctx.actor, params.id, body)),
  )
  route(app, bookings.move, async ({ params, body }, ctx) =>
    changed(ctx, await moveBooking(ctx.db, ctx, ctx.actor, params.id, body)),
  )
}
