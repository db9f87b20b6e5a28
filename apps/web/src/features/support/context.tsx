import { type SupportTicket, supportDesk } from '@voisol/contract/support-desk'
import { TICKET_STATE_LABELS } from '@voisol/contract/support-words'
import type { ReactNode } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { formatDateTime, formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { TicketFollowUp } from './follow.tsx'
import { getAboutPath } from './words.ts'

const ContextSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-2 border-t border-line pt-4 first:border-0 first:pt-0">
    <h3 className="text-body font-semibold">{title}</h3>
    {children}
  </section>
)
const listClass = 'grid gap-1.5 text-body'

/** What was promised, and what is left of it. */
const PromisedTimes = ({ ticket }: { ticket: SupportTicket }) => {
  const { firstDueAt, firstAnswerAt, solveDueAt, solvedAt, state } = ticket
  const first = firstAnswerAt
    ? `donnée le ${formatDateTime(firstAnswerAt)}`
    : `attendue avant le ${formatDateTime(firstDueAt ?? '')}`
  const solve = solvedAt
    ? `résolue le ${formatDateTime(solvedAt)}`
    : solveDueAt
      ? `à résoudre avant le ${formatDateTime(solveDueAt)}`
      : state === 'waiting'
        ? 'en pause\u00a0: le demandeur est attendu'
        : 'sans échéance'
  return (
    <ul className={listClass}>
      <li>Première réponse {first}</li>
      <li>Demande {solve}</li>
    </ul>
  )
}

type OtherTicket = SupportTicket['context']['tickets'][number]

const MergeButton = withAccess(
  supportDesk.merge,
  ({ ticket, other, onOpen }: { ticket: SupportTicket; other: OtherTicket; onOpen: (id: string) => void }) => {
    const merge = useAction(supportDesk.merge, [supportDesk.get, supportDesk.queue])
    return (
      <Confirm
        title={`Réunir à la demande n°\u00a0${other.number}\u00a0?`}
        description={`Les messages de la demande n°\u00a0${ticket.number} iront dans la n°\u00a0${other.number}, et ${ticket.asker.name} en sera prévenu. Cela ne se défait pas.`}
        action="Réunir les demandes"
        tone="primary"
        onConfirm={async () => {
          await merge.run({ params: { id: ticket.id }, body: { into: other.id } })
          onOpen(other.id)
        }}
        trigger={
          <Button variant="quiet" size="small" aria-label={`Réunir à la demande n°\u00a0${other.number}`}>
            Réunir
          </Button>
        }
      />
    )
  },
)

const OtherTickets = ({ ticket, onOpen }: { ticket: SupportTicket; onOpen: (id: string) => void }) => (
  <ul className={listClass}>
    {ticket.context.tickets.map((other) => (
      <li key={other.id} className="flex flex-wrap items-center justify-between gap-x-2">
        <button type="button" className="min-w-0 text-left text-link hover:underline" onClick={() => onOpen(other.id)}>
          n°&nbsp;{other.number} · {other.subject}
        </button>
        <span className="flex items-center gap-1 text-[0.8125rem] text-ink-soft">
          {TICKET_STATE_LABELS[other.state]}
          {!ticket.mergedInto && <MergeButton ticket={ticket} other={other} onOpen={onOpen} />}
        </span>
      </li>
    ))}
  </ul>
)

function RequesterDetails({ ticket }: { ticket: SupportTicket }) {
  const { context, about, desk } = ticket
  const to = about && getAboutPath(about, 'desk', desk)
  return (
    <ul className={listClass}>
      <li className="font-medium">{context.name}</li>
      <li className="break-all text-ink-soft">{context.email}</li>
      {desk === 'keeper' && <li>{context.company}</li>}
      {context.participants.map(({ id, name, operations }) => (
        <li key={id}>
          <Link to={`/participants?membre=${id}`} className="text-link">
            {name}
          </Link>
          {operations.length > 0 && <span className="text-ink-soft"> · {operations.join(', ')}</span>}
        </li>
      ))}
      {about && (
        <li>
          Au sujet de{' '}
          {to ? (
            <Link to={to} className="text-link">
              {about.label}
            </Link>
          ) : (
            about.label
          )}
        </li>
      )}
    </ul>
  )
}

/** All that an answer needs to know, beside the thread. */
export const TicketContext = ({ ticket, onOpen }: { ticket: SupportTicket; onOpen: (id: string) => void }) => (
  <div className="grid gap-4">
    <ContextSection title="Demandeur">
      <RequesterDetails ticket={ticket} />
    </ContextSection>
    <ContextSection title="Suivi">
      <TicketFollowUp ticket={ticket} />
    </ContextSection>
    <ContextSection title="Délais promis">
      <PromisedTimes ticket={ticket} />
    </ContextSection>
    {ticket.context.invoices.length > 0 && (
      <ContextSection title="Dernières factures">
        <ul className={listClass}>
          {ticket.context.invoices.map(({ id, number, totalCents }) => (
            <li key={id} className="flex justify-between gap-2">
              <Link to={`/invoice/${id}`} className="text-link">
                {number}
              </Link>
              <span className="tabular">{formatMoney(totalCents)}</span>
            </li>
          ))}
        </ul>
      </ContextSection>
    )}
    {ticket.context.tickets.length > 0 && (
      <ContextSection title="Ses autres demandes">
        <OtherTickets ticket={ticket} onOpen={onOpen} />
      </ContextSection>
    )}
    {ticket.score !== null && (
      <ContextSection title="Satisfaction">
        <p className="text-body">
          {ticket.score} sur 5{ticket.scoreWord && ` · «\u00a0${ticket.scoreWord}\u00a0»`}
        </p>
      </ContextSection>
    )}
  </div>
)
