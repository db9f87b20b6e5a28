import { type DeskTicket, supportDesk } from '@voisol/contract/support-desk'
import { STATE_LABELS } from '@voisol/contract/support-words'
import type { ReactNode } from 'react'
import { only } from '../../lib/can.tsx'
import { dateTime, money } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { Follow } from './follow.tsx'
import { pathOf } from './words.ts'

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-2 border-t border-line pt-4 first:border-0 first:pt-0">
    <h3 className="text-body font-semibold">{title}</h3>
    {children}
  </section>
)
const list = 'grid gap-1.5 text-body'

/** What was promised, and what is left of it. */
const Promises = ({ ticket }: { ticket: DeskTicket }) => {
  const { firstDueAt, firstAnswerAt, solveDueAt, solvedAt, state } = ticket
  const first = firstAnswerAt
    ? `donnée le ${dateTime(firstAnswerAt)}`
    : `attendue avant le ${dateTime(firstDueAt ?? '')}`
  const solve = solvedAt
    ? `résolue le ${dateTime(solvedAt)}`
    : solveDueAt
      ? `à résoudre avant le ${dateTime(solveDueAt)}`
      : state === 'waiting'
        ? 'en pause\u00a0: le demandeur est attendu'
        : 'sans échéance'
  return (
    <ul className={list}>
      <li>Première réponse {first}</li>
      <li>Demande {solve}</li>
    </ul>
  )
}

type Other = DeskTicket['context']['tickets'][number]

const Merge = only(
  supportDesk.merge,
  ({ ticket, other, onOpen }: { ticket: DeskTicket; other: Other; onOpen: (id: string) => void }) => {
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

const Others = ({ ticket, onOpen }: { ticket: DeskTicket; onOpen: (id: string) => void }) => (
  <ul className={list}>
    {ticket.context.tickets.map((other) => (
      <li key={other.id} className="flex flex-wrap items-center justify-between gap-x-2">
        <button type="button" className="min-w-0 text-left text-link hover:underline" onClick={() => onOpen(other.id)}>
          n°&nbsp;{other.number} · {other.subject}
        </button>
        <span className="flex items-center gap-1 text-[0.8125rem] text-ink-soft">
          {STATE_LABELS[other.state]}
          {!ticket.mergedInto && <Merge ticket={ticket} other={other} onOpen={onOpen} />}
        </span>
      </li>
    ))}
  </ul>
)

function Asker({ ticket }: { ticket: DeskTicket }) {
  const { context, about, desk } = ticket
  const to = about && pathOf(about, 'desk', desk)
  return (
    <ul className={list}>
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
export const Context = ({ ticket, onOpen }: { ticket: DeskTicket; onOpen: (id: string) => void }) => (
  <div className="grid gap-4">
    <Part title="Demandeur">
      <Asker ticket={ticket} />
    </Part>
    <Part title="Suivi">
      <Follow ticket={ticket} />
    </Part>
    <Part title="Délais promis">
      <Promises ticket={ticket} />
    </Part>
    {ticket.context.invoices.length > 0 && (
      <Part title="Dernières factures">
        <ul className={list}>
          {ticket.context.invoices.map(({ id, number, totalCents }) => (
            <li key={id} className="flex justify-between gap-2">
              <Link to={`/invoice/${id}`} className="text-link">
                {number}
              </Link>
              <span className="tabular">{money(totalCents)}</span>
            </li>
          ))}
        </ul>
      </Part>
    )}
    {ticket.context.tickets.length > 0 && (
      <Part title="Ses autres demandes">
        <Others ticket={ticket} onOpen={onOpen} />
      </Part>
    )}
    {ticket.score !== null && (
      <Part title="Satisfaction">
        <p className="text-body">
          {ticket.score} sur 5{ticket.scoreWord && ` · «\u00a0${ticket.scoreWord}\u00a0»`}
        </p>
      </Part>
    )}
  </div>
)
