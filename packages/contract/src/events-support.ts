import { z } from 'zod'
import { defineEvent, defineOpenEvent } from './event.ts'
import { Id } from './primitives.ts'
import { SupportTeam } from './support-words.ts'

const TICKET = '9d2f4b68-0c7e-4a15-8f39-5e1b7d3c6a20'
const MESSAGE = '1b8e6d24-7f50-4c93-a6d1-0e4f9b2c5837'
const ticket = z.object({ ticketId: Id, desk: SupportTeam })
const message = ticket.extend({ messageId: Id })
const sample = { ticketId: TICKET, desk: 'organiser' as const }

/** Support tickets and their states. */
export const supportEvents = {
  'ticket.opened': defineOpenEvent({ label: 'Demande de support ouverte', data: ticket, sample }),
  'ticket.answered': defineOpenEvent({
    label: 'Réponse du support donnée',
    data: message,
    sample: { ...sample, messageId: MESSAGE },
  }),
  'ticket.continued': defineOpenEvent({
    label: 'Demande de support complétée',
    data: message,
    sample: { ...sample, messageId: MESSAGE },
  }),
  'ticket.solved': defineOpenEvent({
    label: 'Demande de support résolue',
    /** Who solved it: the requester, the answer that was sent with it, or the support team afterwards. */
    data: ticket.extend({ by: z.enum(['asker', 'answer', 'desk']) }),
    sample: { ...sample, by: 'answer' as const },
  }),
  'ticket.merged': defineEvent({
    label: 'Demandes de support réunies',
    data: ticket.extend({ intoId: Id }),
    sample: { ...sample, intoId: MESSAGE },
  }),
  'message.sent': defineEvent({
    label: 'Message aux participants envoyé',
    data: z.object({ messageId: Id, recipients: z.int() }),
    sample: { messageId: MESSAGE, recipients: 12 },
  }),
  'ticket.assigned': defineEvent({
    label: 'Demande de support attribuée',
    data: ticket.extend({ assigneeId: Id }),
    sample: { ...sample, assigneeId: MESSAGE },
  }),
}
