import { useQuery } from '@tanstack/react-query'
import { NewSupportMessage, support, type Ticket } from '@voisol/contract/support'
import { TICKET_CATEGORY_LABELS } from '@voisol/contract/support-words'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDateTime } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { AttachedFilesRow, useAttachedFiles } from './files.tsx'
import { TicketRating } from './rating.tsx'
import { MessageThread } from './thread.tsx'
import { getAboutPath, REQUESTER_STATE_LABELS, TICKET_STATE_TONES } from './words.ts'

const isSolvedOrClosed = ({ state }: Ticket) => state === 'solved' || state === 'closed'

function SolveButton({ ticket }: { ticket: Ticket }) {
  const solve = useAction(support.solve, [support.get, support.list])
  const markSolved = () =>
    solve
      .run({ params: { id: ticket.id } })
      .catch((error: unknown) =>
        toast({ title: 'Impossible', description: explainError(error), variant: 'destructive' }),
      )
  return (
    <Button variant="secondary" loading={solve.isPending} onClick={() => void markSolved()}>
      C’est résolu
    </Button>
  )
}

function ReplyForm({ ticket }: { ticket: Ticket }) {
  const reply = useAction(support.reply, [support.get, support.list])
  const attach = useAction(support.attach, [])
  const attached = useAttachedFiles((file) => attach.run({ query: { name: file.name }, upload: file }))
  const form = useSchemaForm(NewSupportMessage, {
    defaults: { body: '', fileIds: [] },
    save: async ({ body }) => {
      await reply.run({ params: { id: ticket.id }, body: { body, fileIds: attached.ids } })
      attached.clear()
      form.reset()
      toast({ title: 'Message envoyé', variant: 'success' })
    },
  })
  const label = isSolvedOrClosed(ticket) ? 'Il reste quelque chose\u00a0? Écrire rouvre la demande' : 'Votre message'
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <Field form={form} name="body" label={label}>
        {(control) => <Textarea {...control} rows={4} />}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <AttachedFilesRow kept={attached} />
        <div className="flex flex-wrap gap-2">
          {!isSolvedOrClosed(ticket) && <SolveButton ticket={ticket} />}
          <Button type="submit" loading={form.formState.isSubmitting} disabled={attached.busy}>
            Envoyer
          </Button>
        </div>
      </div>
    </form>
  )
}

function TicketAbout({ ticket }: { ticket: Ticket }) {
  const { about, category, createdAt, desk } = ticket
  const to = about && getAboutPath(about, 'asker', desk)
  return (
    <p className="mt-1 text-body text-ink-soft">
      {TICKET_CATEGORY_LABELS[category]}
      {about && (
        <>
          {' · '}
          {to ? (
            <Link to={to} className="text-link">
              {about.label}
            </Link>
          ) : (
            about.label
          )}
        </>
      )}
      {` · ${formatDateTime(createdAt)}`}
    </p>
  )
}

const TicketView = ({ ticket, onOpen }: { ticket: Ticket; onOpen: (id: string) => void }) => (
  <div className="grid gap-6 [&>*]:min-w-0">
    <header>
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-xl font-semibold break-words">
          n°&nbsp;{ticket.number} · {ticket.subject}
        </h2>
        <Badge tone={TICKET_STATE_TONES[ticket.state]}>{REQUESTER_STATE_LABELS[ticket.state]}</Badge>
      </div>
      <TicketAbout ticket={ticket} />
    </header>
    {ticket.mergedInto ? (
      <p className="text-body">
        Cette demande a été réunie à une autre, qui a tous ses messages.{' '}
        <button
          type="button"
          className="text-link underline"
          onClick={() => ticket.mergedInto && onOpen(ticket.mergedInto.id)}
        >
          Ouvrir la demande n°&nbsp;{ticket.mergedInto.number}
        </button>
      </p>
    ) : (
      <>
        <MessageThread messages={ticket.messages} own="asker" from={support.file} />
        {isSolvedOrClosed(ticket) && <TicketRating key={ticket.version} ticket={ticket} />}
        <ReplyForm ticket={ticket} />
      </>
    )}
  </div>
)

type Props = { id: string; onBack: () => void; onOpen: (id: string) => void }

/** One's own question: its thread, what one adds to it, and what one thinks of the answer. */
export function OwnTicket({ id, onBack, onOpen }: Props) {
  const { data, error, refetch } = useQuery(query(support.get, { params: { id } }))
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div>
        <Button variant="quiet" size="small" icon={<ArrowLeft aria-hidden="true" />} onClick={onBack}>
          Toutes mes demandes
        </Button>
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && <TicketView ticket={data} onOpen={onOpen} />}
    </div>
  )
}
