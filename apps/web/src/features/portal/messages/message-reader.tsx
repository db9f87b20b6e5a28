import { useQuery } from '@tanstack/react-query'
import { messages, type OwnMessage } from '@voisol/contract/messages'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useEffect } from 'react'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatLongDate } from '../../../lib/format.ts'
import { query, useAction, withCallKey } from '../../../lib/queries.ts'
import { useSession } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'

/** As many as anybody was written: an older one is found by its page. */
const MAX_SEARCHED_MESSAGES = 100

function AnswerForm({ message }: { message: OwnMessage }) {
  const answer = useAction(messages.answer, [messages.mine])
  const form = useSchemaForm(messages.answer.body, {
    defaults: { body: '' },
    save: async (body) => {
      await answer.run({ params: { id: message.id }, body })
      form.reset()
      toast({ title: 'Réponse envoyée', variant: 'success' })
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-3">
      <FormErrors form={form} />
      <Field form={form} name="body" label="Votre réponse">
        {(control) => <Textarea {...control} rows={4} />}
      </Field>
      <Button type="submit" size="large" loading={form.formState.isSubmitting} className="justify-self-start">
        Répondre
      </Button>
    </form>
  )
}

const MessageCard = ({ message, answers }: { message: OwnMessage; answers: boolean }) => (
  <Card>
    <article className="grid gap-4">
      <header>
        <h2 className="text-2xl font-semibold wrap-anywhere">{message.subject}</h2>
        <p className="mt-1 text-ink-soft">
          {message.author}, le {formatLongDate(message.sentAt)}
        </p>
      </header>
      <p className="prose-width wrap-anywhere whitespace-pre-line">{message.body}</p>
      {message.ticketId && (
        <p>
          Vous avez répondu.{' '}
          <Link to={`/client-portal/support?demande=${message.ticketId}`} className="text-link">
            Voir l’échange
          </Link>
        </p>
      )}
      {answers && <AnswerForm message={message} />}
    </article>
  </Card>
)

/** One message; that it was shown is told once, by whoever it was written to. */
export default function OpenMessage({ id }: { id: string }) {
  const { user } = useSession()
  const { data, error, refetch } = useQuery(query(messages.mine, { query: { size: MAX_SEARCHED_MESSAGES } }))
  const { mutate } = useAction(messages.open, [messages.mine])
  const message = data?.items.find((one) => one.id === id)
  const shouldMarkOpened = message?.openedAt === null && !user?.viewing
  useEffect(() => {
    if (shouldMarkOpened) mutate(withCallKey({ params: { id } }))
  }, [shouldMarkOpened, mutate, id])
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <div>
        <ButtonLink to="/client-portal/messages" variant="quiet" icon={<ArrowLeft aria-hidden="true" />}>
          Tous les messages
        </ButtonLink>
      </div>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data && !message && (
        <EmptyState
          title="Message introuvable"
          why="Il n’est pas parmi ceux qui vous sont écrits."
          because="chosen-here"
        />
      )}
      {message && <MessageCard message={message} answers={!user?.viewing} />}
    </div>
  )
}
