import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { buildPublicUrl, renderMail, sendMail } from '../../identity/mail/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { getSubjectLabel } from './manage-requests.ts'
import type { RequestRow } from './store-request.ts'

/** Tells those who keep the site, in the app and in the support mailbox. */
async function notifyTeam(tx: Db, deps: Deps, row: RequestRow, at: Date) {
  const { secrets, config } = deps
  const subject = getSubjectLabel(row.subject)
  const who = `${row.firstName} ${row.lastName}${row.company && ` (${row.company})`}`
  await notify(tx, deps, {
    companyId: row.companyId,
    at,
    to: { permission: 'requests.read' },
    category: 'support',
    type: 'info',
    priority: 'normal',
    title: 'Nouveau message du site',
    key: `request ${row.id}`,
    message: `${who}\u00a0: ${subject}.`,
    action: { label: 'Voir les demandes', url: '/admin/bookings' },
  })
  await sendMail(tx, secrets, {
    to: config.SUPPORT_EMAIL,
    replyTo: row.email,
    subject: `Nouveau message du site\u00a0: ${subject}`,
    ...renderMail({
      title: `Nouveau message du site\u00a0: ${subject}`,
      paragraphs: [`${who}\n${row.email}${row.phone && `\n${row.phone}`}`, ...row.message.split(/\n{2,}/)],
      action: { label: 'Voir les demandes', url: buildPublicUrl(config, '/admin/bookings') },
      footer: 'Message reçu depuis le site.',
    }),
  })
}

/** One that was erased since is nobody's any more. */
export const requestSubscriber = defineSubscriber({
  name: 'requests',
  on: ['request.received'],
  async handle(tx, deps, { companyId, at, data: { id } }) {
    const [row] = await tx
      .select()
      .from(requests)
      .where(and(eq(requests.companyId, companyId), eq(requests.id, id)))
    if (row) await notifyTeam(tx, deps, row, at)
  },
})
