import { useQuery } from '@tanstack/react-query'
import { NewSupportMessage, support, type Ticket } from '@voisol/contract/support'
import { TICKET_CATEGORY_LABELS } from '@voisol/contract/support-labels'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Star from 'lucide-react/icons/star'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { cx } from '../../../components/cx.ts'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Input, Textarea } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { getAboutPath, REQUESTER_STATE_LABELS, SCORE_LABELS, TICKET_STATE_TONES } from './labels.ts'
import { AttachedFilesRow, MessageThread, useAttachedFiles } from './ticket-messages.tsx'

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

const ScoreChoice = ({ score, onChoose }: { score: number; onChoose: (score: number) => void }) => (
  <fieldset>
    <legend className="text-body font-medium">La réponse vous a-t-elle aidé&nbsp;?</legend>
    <div className="mt-2 flex gap-1">
      {SCORE_LABELS.map((label, at) => (
        <label key={label} className="cursor-pointer" title={label}>
          <input
            type="radio"
            name="score"
            value={at + 1}
            checked={score === at + 1}
            onChange={() => onChoose(at + 1)}
            className="peer sr-only"
          />
          <span className="grid size-11 place-items-center rounded-button peer-focus-visible:outline-2 peer-focus-visible:outline-(--ring) hover:bg-page">
            <Star
              aria-hidden="true"
              className={cx('size-6', at < score ? 'fill-amber-400 text-amber-600' : 'text-ink-soft')}
            />
            <span className="sr-only">{`${at + 1} sur 5\u00a0: ${label}`}</span>
          </span>
        </label>
      ))}
    </div>
    <p aria-live="polite" className="min-h-5 text-[0.8125rem] text-ink-soft">
      {SCORE_LABELS[score - 1] ?? ''}
    </p>
  </fieldset>
)

/** Asked once it is solved; it can be changed. */
function TicketRating({ ticket }: { ticket: Ticket }) {
  const rate = useAction(support.rate, [support.get, support.list])
  const [score, setScore] = useState(ticket.score ?? 0)
  const [comment, setComment] = useState(ticket.scoreWord)
  const send = () =>
    rate.run({ params: { id: ticket.id }, body: { score, word: comment } }).then(
      () => toast({ title: 'Merci de votre avis', variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Avis non enregistré', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Card>
      <div className="grid gap-3">
        <ScoreChoice score={score} onChoose={setScore} />
        <FieldFrame id="score-word" label="Un mot de plus" optional>
          <Input
            id="score-word"
            value={comment}
            maxLength={1000}
            onChange={(event) => setComment(event.target.value)}
          />
        </FieldFrame>
        <Button className="justify-self-start" disabled={!score} loading={rate.isPending} onClick={() => void send()}>
          {ticket.score ? 'Changer mon avis' : 'Donner mon avis'}
        </Button>
      </div>
    </Card>
  )
}
