import { type DeskMessage, type DeskTicket, supportDesk, type TicketNote } from '@voisol/contract/support-desk'
import { PRIORITY_LABELS, STATE_LABELS } from '@voisol/contract/support-words'
import { type RefObject, useState } from 'react'
import { only } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { dateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Answer, type Mode } from './answer.tsx'
import { Thread } from './thread.tsx'
import { PRIORITY_TONES, STATE_TONES } from './words.ts'

/** A mail of somebody else: the desk says whether it is the asker's all the same. */
const Decide = only(supportDesk.release, ({ message }: { message: DeskMessage }) => {
  const release = useAction(supportDesk.release, [supportDesk.get, supportDesk.queue])
  const decide = (decision: 'accept' | 'drop') =>
    release
      .run({ params: { id: message.id }, body: { decision } })
      .catch((error: unknown) => toast({ title: 'Impossible', description: explain(error), variant: 'destructive' }))
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" variant="secondary" disabled={release.isPending} onClick={() => void decide('accept')}>
        Accepter ce message
      </Button>
      <Button size="small" variant="quiet" disabled={release.isPending} onClick={() => void decide('drop')}>
        Écarter
      </Button>
    </div>
  )
})

const More = ({ message }: { message: DeskMessage }) => (
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
        <Decide message={message} />
      </div>
    )}
  </>
)

const Notes = ({ notes }: { notes: TicketNote[] }) => (
  <section aria-label="Notes internes" className="grid gap-2">
    {notes.map(({ id, author, body, createdAt }) => (
      <div key={id} className="rounded-card border border-warning/30 bg-warning-soft p-3 text-body">
        <p className="text-[0.8125rem] text-ink-soft">
          Note interne de {author}, {dateTime(createdAt)}
        </p>
        <p className="break-words whitespace-pre-line">{body}</p>
      </div>
    ))}
  </section>
)

type Props = { ticket: DeskTicket; field: RefObject<HTMLTextAreaElement | null>; onSent: () => void }

/** The thread as the desk reads it, and the place to write. */
export function DeskThread({ ticket, field, onSent }: Props) {
  const [mode, setMode] = useState<Mode>('answer')
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <header className="grid gap-1">
        <h2 className="text-lg font-semibold break-words">
          n°&nbsp;{ticket.number} · {ticket.subject}
        </h2>
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={STATE_TONES[ticket.state]}>{STATE_LABELS[ticket.state]}</Badge>
          {ticket.priority !== 'normal' && (
            <Badge tone={PRIORITY_TONES[ticket.priority]}>
              Priorité {PRIORITY_LABELS[ticket.priority].toLowerCase()}
            </Badge>
          )}
          {ticket.late && <Badge tone="danger">En retard</Badge>}
        </p>
      </header>
      <Thread
        messages={ticket.messages}
        own="desk"
        from={supportDesk.file}
        more={(message) => <More message={message} />}
      />
      {ticket.notes.length > 0 && <Notes notes={ticket.notes} />}
      {ticket.mergedInto ? (
        <p className="text-body text-ink-soft">Réunie à la demande n°&nbsp;{ticket.mergedInto.number}.</p>
      ) : (
        <Answer ticket={ticket} mode={mode} onMode={setMode} field={field} onSent={onSent} />
      )}
    </div>
  )
}
