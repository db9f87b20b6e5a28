import { and, eq } from 'drizzle-orm'
import { NO_SITE_OWNER } from '../../../core/site-owner.ts'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { companies, ticketMessages, tickets, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { defineSubscriber } from '../../../events/subscriber.ts'
import { renderMail, sendMail } from '../../identity/mail/index.ts'
import { notify } from '../../identity/notifications/index.ts'
import { buildReplyAddress, REPLY_ABOVE } from './reply-address.ts'
import { loadAnsweringCompanyId } from './support-hours.ts'
import type { TicketRecord } from './ticket-queries.ts'

type TicketEventContext = { ticket: TicketRecord; asker: string; company: string; at: Date; seq: number }

const formatTicket = ({ number, subject }: TicketRecord) => `n°\u00a0${number} «\u00a0${subject}\u00a0»`
const ASKER_PATHS = { organiser: '/client-portal/support', keeper: '/support' } as const
const buildAskerUrl = ({ desk, id }: TicketRecord) => `${ASKER_PATHS[desk]}?demande=${id}`
const buildDeskUrl = ({ id }: TicketRecord) => `/dashboard/support-optimized?demande=${id}`

/** Those who answer, in the company that answers; where nobody keeps the installation yet, its mailbox. */
async function notifyDesk(
  tx: Db,
  deps: Deps,
  { ticket, asker, company, at, seq }: TicketEventContext,
  words: { title: string },
) {
  const companyId = await loadAnsweringCompanyId(tx, ticket)
  const message = `${asker}${ticket.desk === 'keeper' ? ` (${company})` : ''}\u00a0: demande ${formatTicket(ticket)}.`
  if (companyId === NO_SITE_OWNER) return sendToSupportMailbox(tx, deps, words.title, message)
  const to = ticket.assigneeId
    ? [ticket.assigneeId]
    : { permission: ticket.desk === 'keeper' ? ('support.keep' as const) : ('support.read' as const) }
  await setWriteCompany(tx, companyId)
  await notify(tx, deps, {
    companyId,
    at,
    to,
    category: 'support',
    type: 'info',
    priority: ticket.priority === 'urgent' ? 'high' : 'normal',
    title: words.title,
    message,
    key: `ticket ${ticket.companyId} ${ticket.id} ${seq}`,
    action: { label: 'Ouvrir la demande', url: buildDeskUrl(ticket) },
    mail: { text: message },
  })
  await setWriteCompany(tx, tx.$company)
}

const sendToSupportMailbox = (tx: Db, { secrets, config }: Deps, subject: string, text: string) =>
  sendMail(tx, secrets, {
    to: config.SUPPORT_EMAIL,
    subject,
    ...renderMail({
      title: subject,
      paragraphs: [text],
      footer: 'Aucune organisation ne tient encore cette installation.',
    }),
  }).then(() => {})

const SOLVED_MESSAGE =
  'Nous tenons cette demande pour résolue\u00a0: dites en un mot si la réponse vous a aidé. Y répondre la rouvre.'

type AskerNotification = { title: string; message: string; mail?: string; type?: 'info' | 'success' }

/** In the app and by mail; an answer to that mail comes back here, where the installation receives mail. */
async function notifyAsker(tx: Db, deps: Deps, { ticket, at, seq }: TicketEventContext, words: AskerNotification) {
  const { SUPPORT_MAIL_HOST: host } = deps.config
  const replyTo = host && buildReplyAddress(deps.secrets, host, ticket)
  const text = [...(replyTo ? [REPLY_ABOVE] : []), words.mail ?? words.message].join('\n')
  await notify(tx, deps, {
    companyId: ticket.companyId,
    at,
    to: [ticket.askerId],
    category: 'support',
    type: words.type ?? 'info',
    priority: 'normal',
    title: words.title,
    message: words.message,
    key: `ticket ${ticket.id} ${seq}`,
    action: { label: 'Lire la demande', url: buildAskerUrl(ticket) },
    mail: { text, ...(replyTo && { replyTo }) },
  })
}

async function loadTicketContext(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select({ ticket: tickets, firstName: users.firstName, lastName: users.lastName, company: companies.name })
    .from(tickets)
    .innerJoin(users, eq(users.id, tickets.askerId))
    .innerJoin(companies, eq(companies.id, tickets.companyId))
    .where(and(eq(tickets.companyId, companyId), eq(tickets.id, id)))
  return row && { ticket: row.ticket, asker: `${row.firstName} ${row.lastName}`.trim(), company: row.company }
}

async function loadMessage(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select()
    .from(ticketMessages)
    .where(and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.id, id)))
  return row
}

export const supportSubscriber = defineSubscriber({
  name: 'support',
  on: ['ticket.opened', 'ticket.answered', 'ticket.continued', 'ticket.solved', 'ticket.merged', 'ticket.assigned'],
  async handle(tx, deps, event) {
    const { companyId, at, seq, data } = event
    const found = await loadTicketContext(tx, companyId, data.ticketId)
    if (!found) return
    const scene = { ...found, at, seq }
    const { ticket } = scene
    if (event.name === 'ticket.opened') {
      await notifyDesk(tx, deps, scene, { title: 'Nouvelle demande de support' })
      return notifyAsker(tx, deps, scene, {
        title: `Demande n°\u00a0${ticket.number} reçue`,
        message: `Votre demande «\u00a0${ticket.subject}\u00a0» est bien arrivée. La réponse viendra ici et par e-mail.`,
      })
    }
    if (event.name === 'ticket.answered') {
      const message = await loadMessage(tx, companyId, event.data.messageId)
      if (!message) return
      const intro = `${message.author} vous répond au sujet de «\u00a0${ticket.subject}\u00a0»\u00a0:`
      const mail = [intro, message.body, ...(ticket.state === 'solved' ? [SOLVED_MESSAGE] : [])].join('\n')
      return notifyAsker(tx, deps, scene, {
        title: `Réponse à votre demande n°\u00a0${ticket.number}`,
        message: `${message.author} vous a répondu au sujet de «\u00a0${ticket.subject}\u00a0».`,
        mail,
      })
    }
    if (event.name === 'ticket.continued') return notifyDesk(tx, deps, scene, { title: 'Demande de support complétée' })
    if (event.name === 'ticket.solved') {
      if (event.data.by !== 'desk') return
      return notifyAsker(tx, deps, scene, {
        type: 'success',
        title: `Demande n°\u00a0${ticket.number} résolue`,
        message: `Votre demande «\u00a0${ticket.subject}\u00a0». ${SOLVED_MESSAGE}`,
      })
    }
    if (event.name === 'ticket.merged') {
      const into = await loadTicketContext(tx, companyId, event.data.intoId)
      if (!into) return
      return notifyAsker(
        tx,
        deps,
        { ...scene, ticket: into.ticket },
        {
          title: `Demandes n°\u00a0${ticket.number} et n°\u00a0${into.ticket.number} réunies`,
          message: `Vos deux demandes parlaient de la même chose. Tous les messages sont maintenant dans la demande ${formatTicket(into.ticket)}.`,
        },
      )
    }
    return notifyDesk(tx, deps, scene, { title: 'Une demande de support vous est attribuée' })
  },
})
