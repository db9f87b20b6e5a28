import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { bookings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { buildPublicUrl, renderMail, sendMail } from '../../identity/mail/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import type { BookingRow } from './booking-mails.ts'
import { formatSlot } from './booking-slots.ts'

const formatBookingDetails = (row: BookingRow) => [
  `${row.firstName} ${row.lastName}, ${row.company}`,
  `E-mail\u00a0: ${row.email}${row.phone && `\nTéléphone\u00a0: ${row.phone}`}`,
  `Type de projet\u00a0: ${row.projectType}`,
  ...(row.message ? [`Message\u00a0:\n${row.message}`] : []),
]

/** Tells those who keep the site, in the app and in the support mailbox. */
async function notifyTeam(tx: Db, post: Deps, row: BookingRow, at: Date) {
  const title = 'Nouvelle démonstration réservée'
  const when = formatSlot(row.day, row.time)
  await notify(tx, post, {
    companyId: row.companyId,
    at,
    to: { permission: 'bookings.read' },
    category: 'support',
    type: 'info',
    priority: 'normal',
    title,
    key: `booking ${row.id}`,
    message: `${row.firstName} ${row.lastName} (${row.company}), ${when}.`,
    action: { label: 'Voir les réservations', url: '/admin/bookings' },
  })
  await sendMail(tx, post.secrets, {
    to: post.config.SUPPORT_EMAIL,
    replyTo: row.email,
    subject: `${title} (${row.reference})`,
    ...renderMail({
      title,
      paragraphs: [`${when}, référence ${row.reference}.`, ...formatBookingDetails(row)],
      action: { label: 'Voir les réservations', url: buildPublicUrl(post.config, '/admin/bookings') },
      footer: 'Réservation reçue depuis le site.',
    }),
  })
}

/** One that was erased since is nobody's any more. */
export const bookingSubscriber = defineSubscriber({
  name: 'bookings',
  on: ['booking.placed'],
  async handle(tx, deps, { companyId, at, data: { id } }) {
    const [row] = await tx
      .select()
      .from(bookings)
      .where(and(eq(bookings.companyId, companyId), eq(bookings.id, id)))
    if (row) await notifyTeam(tx, deps, row, at)
  },
})
