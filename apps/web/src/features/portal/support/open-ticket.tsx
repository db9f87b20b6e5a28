import { useQuery } from '@tanstack/react-query'
import {
  type CannedReply,
  type SupportMessage,
  type SupportTicket,
  supportDesk,
  type TicketNote,
} from '@voisol/contract/support-agents'
import { fillReply, TICKET_PRIORITY_LABELS, TICKET_STATE_LABELS } from '@voisol/contract/support-labels'
import { type ReactNode, type RefObject, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { cardClass } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { Confirm } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { getAboutPath, TICKET_PRIORITY_TONES, TICKET_STATE_TONES } from './labels.ts'
import { TicketFollowUp } from './ticket-follow-up.tsx'
import { AttachedFilesRow, MessageThread, useAttachedFiles } from './ticket-messages.tsx'

type OpenTicketProps = {
  id: string
  field: RefObject<HTMLTextAreaElement | null>
  onNext: () => void
  onOpen: (id: string) => void
}

/** The two panes of the ticket that is open. */
export default function OpenTicket({ id, field, onNext, onOpen }: OpenTicketProps) {
  const { data, error, refetch } = useQuery(query(supportDesk.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <>
      <section aria-label="Fil de la demande" className={cx(cardClass, 'min-w-0 p-4 sm:p-5')}>
        <TicketThread key={id} ticket={data} field={field} onSent={onNext} />
      </section>
      <aside aria-label="Contexte de la demande" className={cx(cardClass, 'min-w-0 p-4 sm:p-5')}>
        <TicketContext ticket={data} onOpen={onOpen} />
      </aside>
    </>
  )
}

/** A mail of somebody else: the desk says whether it is the asker's all the same. */
const HeldMessageActions = withAccess(supportDesk.release, ({ message }: { message: SupportMessage }) => {
  const release = useAction(supportDesk.release, [supportDesk.get, supportDesk.queue])
  const applyDecision = (decision: 'accept' | 'drop') =>
    release
      .run({ params: { id: message.id }, body: { decision } })
      .catch((error: unknown) =>
        toast({ title: 'Impossible', description: explainError(error), variant: 'destructive' }),
      )
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="small"
        variant="secondary"
        disabled={release.isPending}
        onClick={() => void applyDecision('accept')}
      >
        Accepter ce message
      </Button>
      <Button size="small" variant="quiet" disabled={release.isPending} onClick={() => void applyDecision('drop')}>
        Écarter
      </Button>
    </div>
  )
})

const MessageExtras = ({ message }: { message: SupportMessage }) => (
  <>
    {message.fromTicket !== null && (
      <p className="text-[0.8125rem] text-ink-soft">Écrit dans la demande n°&nbsp;{message.fromTicket}</p>
    )}
    {message.heldFrom && (
      <div className="grid gap-2 rounded-card bg-warning-soft p-3 text-body">
        <p>
          Reçu de <strong className="break-all">{message.heldFrom}</strong>, sans preuve qu’il vient du demandeur. Le
          demandeur ne le voit pas.
        </p>
        <HeldMessageActions message={message} />
      </div>
    )}
  </>
)

const InternalNotes = ({ notes }: { notes: TicketNote[] }) => (
  <section aria-label="Notes internes" className="grid gap-2">
    {notes.map(({ id, author, body, createdAt }) => (
      <div key={id} className="rounded-card border border-warning/30 bg-warning-soft p-3 text-body">
        <p className="text-[0.8125rem] text-ink-soft">
          Note interne de {author}, {formatDateTime(createdAt)}
        </p>
        <p className="break-words whitespace-pre-line">{body}</p>
      </div>
    ))}
  </section>
)

type Props = { ticket: SupportTicket; field: RefObject<HTMLTextAreaElement | null>; onSent: () => void }

/** The thread as the desk reads it, and the place to write. */
function TicketThread({ ticket, field, onSent }: Props) {
  const [mode, setMode] = useState<WritingMode>('answer')
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <header className="grid gap-1">
        <h2 className="text-lg font-semibold break-words">
          n°&nbsp;{ticket.number} · {ticket.subject}
        </h2>
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={TICKET_STATE_TONES[ticket.state]}>{TICKET_STATE_LABELS[ticket.state]}</Badge>
          {ticket.priority !== 'normal' && (
            <Badge tone={TICKET_PRIORITY_TONES[ticket.priority]}>
              Priorité {TICKET_PRIORITY_LABELS[ticket.priority].toLowerCase()}
            </Badge>
          )}
          {ticket.late && <Badge tone="danger">En retard</Badge>}
        </p>
      </header>
      <MessageThread
        messages={ticket.messages}
        own="desk"
        from={supportDesk.file}
        more={(message) => <MessageExtras message={message} />}
      />
      {ticket.notes.length > 0 && <InternalNotes notes={ticket.notes} />}
      {ticket.mergedInto ? (
        <p className="text-body text-ink-soft">Réunie à la demande n°&nbsp;{ticket.mergedInto.number}.</p>
      ) : (
        <AnswerForm ticket={ticket} mode={mode} onMode={setMode} field={field} onSent={onSent} />
      )}
    </div>
  )
}

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
const TicketContext = ({ ticket, onOpen }: { ticket: SupportTicket; onOpen: (id: string) => void }) => (
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

type WritingMode = 'answer' | 'note'
const STATE_AFTER_OPTIONS = [
  { value: 'waiting', label: 'puis attendre le demandeur' },
  { value: 'solved', label: 'et résoudre' },
  { value: 'open', label: 'et garder en cours' },
]
type StateAfterAnswer = 'waiting' | 'solved' | 'open'

type AnswerProps = {
  ticket: SupportTicket
  mode: WritingMode
  onMode: (mode: WritingMode) => void
  field: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
}

/** Answers that are given often, filled in for this ticket. */
function CannedReplySelect({ ticket, onTake }: { ticket: SupportTicket; onTake: (text: string) => void }) {
  const { data } = useQuery(query(supportDesk.canned, { query: { desk: ticket.desk } }))
  const items = data?.items ?? []
  if (!items.length) return null
  const takeReply = (reply: CannedReply | undefined) => reply && onTake(fillReply(reply.body, ticket.fields))
  return (
    <Select
      aria-label="Prendre une réponse type"
      className="max-w-56"
      value=""
      onChange={(event) => takeReply(items.find(({ id }) => id === event.target.value))}
    >
      <option value="">Réponse type…</option>
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

const ModeSwitch = ({ mode, onMode }: Pick<AnswerProps, 'mode' | 'onMode'>) => (
  <fieldset className="flex gap-1">
    <legend className="sr-only">Ce que vous écrivez</legend>
    {(['answer', 'note'] as const).map((one) => (
      <button
        key={one}
        type="button"
        aria-pressed={mode === one}
        onClick={() => onMode(one)}
        className="min-h-9 rounded-full px-3 text-body font-medium text-ink-soft hover:text-ink aria-pressed:bg-primary-soft aria-pressed:text-primary-ink"
      >
        {one === 'answer' ? 'Répondre' : 'Note interne'}
      </button>
    ))}
  </fieldset>
)

/** What is being written, and how it leaves. */
function useAnswer({ ticket, mode, onSent }: Pick<AnswerProps, 'ticket' | 'mode' | 'onSent'>) {
  const refreshedCalls = [supportDesk.get, supportDesk.queue, supportDesk.figures]
  const answer = useAction(supportDesk.answer, refreshedCalls)
  const note = useAction(supportDesk.note, [supportDesk.get])
  const attach = useAction(supportDesk.attach, [])
  const [text, setText] = useState('')
  const [leaves, setLeaves] = useState<StateAfterAnswer>('waiting')
  const params = { id: ticket.id }
  const attached = useAttachedFiles((file) => attach.run({ params, query: { name: file.name }, upload: file }))
  const send = async () => {
    if (!text.trim()) return
    try {
      if (mode === 'note') await note.run({ params, body: { body: text } })
      else await answer.run({ params, body: { body: text, fileIds: attached.ids, leaves } })
      setText('')
      attached.clear()
      toast({ title: mode === 'note' ? 'Note gardée' : 'Réponse envoyée', variant: 'success' })
      if (mode === 'answer') onSent()
    } catch (error) {
      toast({ title: 'Rien n’est parti', description: explainError(error), variant: 'destructive' })
    }
  }
  return { text, setText, leaves, setLeaves, kept: attached, send, busy: answer.isPending || note.isPending }
}

/** The place where the desk writes: to the asker, or for itself. */
const AnswerForm = withAccess(supportDesk.answer, (props: AnswerProps) => {
  const { ticket, mode, onMode, field } = props
  const { text, setText, leaves, setLeaves, kept: attached, send, busy } = useAnswer(props)
  const insertReply = (filled: string) => {
    setText((old) => (old.trim() ? `${old}\n\n${filled}` : filled))
    field.current?.focus()
  }
  const label = mode === 'note' ? 'Note pour l’équipe, que le demandeur ne voit jamais' : 'Votre réponse'
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ModeSwitch mode={mode} onMode={onMode} />
        {mode === 'answer' && <CannedReplySelect ticket={ticket} onTake={insertReply} />}
      </div>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        rows={4}
        value={text}
        className={mode === 'note' ? 'bg-warning-soft' : ''}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        {mode === 'answer' ? <AttachedFilesRow kept={attached} /> : <span />}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {mode === 'answer' && (
            <Select
              aria-label="Une fois la réponse envoyée"
              className="w-56"
              options={STATE_AFTER_OPTIONS}
              value={leaves}
              onChange={(event) => setLeaves(event.target.value as StateAfterAnswer)} // the options are these
            />
          )}
          <Button type="submit" disabled={!text.trim() || attached.busy} loading={busy}>
            {mode === 'note' ? 'Garder la note' : 'Envoyer la réponse'}
          </Button>
        </div>
      </div>
    </form>
  )
})
