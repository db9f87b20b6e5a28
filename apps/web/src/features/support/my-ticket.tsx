import { useQuery } from '@tanstack/react-query'
import { NewMessage, support, type Ticket } from '@voisol/contract/support'
import { CATEGORY_LABELS } from '@voisol/contract/support-words'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { explain } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { dateTime } from '../../lib/format.ts'
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
import { FileRow, useFiles } from './files.tsx'
import { Rating } from './rating.tsx'
import { Thread } from './thread.tsx'
import { ASKER_STATES, pathOf, STATE_TONES } from './words.ts'

const isOver = ({ state }: Ticket) => state === 'solved' || state === 'closed'

function Solve({ ticket }: { ticket: Ticket }) {
  const solve = useAction(support.solve, [support.get, support.list])
  const say = () =>
    solve
      .run({ params: { id: ticket.id } })
      .catch((error: unknown) => toast({ title: 'Impossible', description: explain(error), variant: 'destructive' }))
  return (
    <Button variant="secondary" loading={solve.isPending} onClick={() => void say()}>
      C’est résolu
    </Button>
  )
}

function Reply({ ticket }: { ticket: Ticket }) {
  const reply = useAction(support.reply, [support.get, support.list])
  const attach = useAction(support.attach, [])
  const kept = useFiles((file) => attach.run({ query: { name: file.name }, upload: file }))
  const form = useSchemaForm(NewMessage, {
    defaults: { body: '', fileIds: [] },
    save: async ({ body }) => {
      await reply.run({ params: { id: ticket.id }, body: { body, fileIds: kept.ids } })
      kept.clear()
      form.reset()
      toast({ title: 'Message envoyé', variant: 'success' })
    },
  })
  const label = isOver(ticket) ? 'Il reste quelque chose\u00a0? Écrire rouvre la demande' : 'Votre message'
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <Field form={form} name="body" label={label}>
        {(control) => <Textarea {...control} rows={4} />}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <FileRow kept={kept} />
        <div className="flex flex-wrap gap-2">
          {!isOver(ticket) && <Solve ticket={ticket} />}
          <Button type="submit" loading={form.formState.isSubmitting} disabled={kept.busy}>
            Envoyer
          </Button>
        </div>
      </div>
    </form>
  )
}

function About({ ticket }: { ticket: Ticket }) {
  const { about, category, createdAt, desk } = ticket
  const to = about && pathOf(about, 'asker', desk)
  return (
    <p className="mt-1 text-body text-ink-soft">
      {CATEGORY_LABELS[category]}
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
      {` · ${dateTime(createdAt)}`}
    </p>
  )
}

const Loaded = ({ ticket, onOpen }: { ticket: Ticket; onOpen: (id: string) => void }) => (
  <div className="grid gap-6 [&>*]:min-w-0">
    <header>
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="text-xl font-semibold break-words">
          n°&nbsp;{ticket.number} · {ticket.subject}
        </h2>
        <Badge tone={STATE_TONES[ticket.state]}>{ASKER_STATES[ticket.state]}</Badge>
      </div>
      <About ticket={ticket} />
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
        <Thread messages={ticket.messages} own="asker" from={support.file} />
        {isOver(ticket) && <Rating key={ticket.version} ticket={ticket} />}
        <Reply ticket={ticket} />
      </>
    )}
  </div>
)

type Props = { id: string; onBack: () => void; onOpen: (id: string) => void }

/** One's own question: its thread, what one adds to it, and what one thinks of the answer. */
export function MyTicket({ id, onBack, onOpen }: Props) {
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
      {data && <Loaded ticket={data} onOpen={onOpen} />}
    </div>
  )
}
