import { type SupportMessage, type SupportTicket, supportDesk, type TicketNote } from '@voisol/contract/support-desk'
import { TICKET_PRIORITY_LABELS, TICKET_STATE_LABELS } from '@voisol/contract/support-words'
import { type RefObject, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { AnswerForm, type WritingMode } from './answer.tsx'
import { MessageThread } from './thread.tsx'
import { TICKET_PRIORITY_TONES, TICKET_STATE_TONES } from './words.ts'

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
export function TicketThread({ ticket, field, onSent }: Props) {
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
