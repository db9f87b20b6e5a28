import { useQuery } from '@tanstack/react-query'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { type MessageRecipient, type MessageRow, messages } from '@voisol/contract/messages'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm, Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { query, useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { AUDIENCE_LABELS, MESSAGE_STATE_LABELS, RECIPIENT_STATE_LABELS } from './labels.ts'

/** How it fares, in a sentence. */
function describeReadCounts({ state, counts }: Pick<MessageRow, 'state' | 'counts'>): string {
  if (state !== 'sent') return ''
  const { recipients, opened, answered } = counts
  const readText = `${opened} sur ${recipients} l’${opened > 1 ? 'ont' : 'a'} ouvert`
  return answered ? `${readText}, ${formatCount(answered, 'réponse')}` : readText
}

const buildColumns = (open: (id: string) => string): Column<MessageRow>[] => [
  {
    header: 'Message',
    card: 'title',
    sort: 'subject',
    cell: ({ id, subject }) => (
      <Link to={{ search: open(id) }} preventScrollReset className="block min-w-48 font-medium text-link">
        {subject}
      </Link>
    ),
  },
  {
    header: 'À',
    card: 'primary',
    cell: ({ audience, target }) => (
      <span className="block min-w-32">
        {target}
        <span className="block text-[0.8125rem] text-ink-soft">{AUDIENCE_LABELS[audience]}</span>
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={MESSAGE_STATE_LABELS[state].tone}>{MESSAGE_STATE_LABELS[state].label}</Badge>,
  },
  { header: 'Départ', card: 'primary', sort: 'sendAt', cell: ({ sentAt, sendAt }) => formatDateTime(sentAt ?? sendAt) },
  { header: 'Lecture dans le portail', card: 'primary', cell: describeReadCounts },
]
const STATE_OPTIONS = Object.entries(MESSAGE_STATE_LABELS).map(([value, { label }]) => ({ value, label }))

/** What was written to participants, and how it was read. */
export default function MessageList({ write }: { write: ReactNode }) {
  const list = useList(messages.list)
  const [search, setSearch] = useSearchParams()
  const openMessageId = search.get('message')
  const withMessage = (id: string | null) => {
    const next = new URLSearchParams(search)
    if (id) next.set('message', id)
    else next.delete('message')
    return next
  }
  return (
    <>
      <ListScreen
        list={list}
        label="Messages"
        search="Rechercher dans les messages"
        columns={buildColumns((id) => withMessage(id).toString())}
        filters={
          <FilterChips
            label="État"
            options={STATE_OPTIONS}
            value={list.filters.state}
            onChange={(state) => list.setFilters({ state })}
          />
        }
        empty={
          <EmptyState
            title="Aucun message"
            why="Écrivez à une opération, à un groupe ou à une personne&#160;: chacun le lit dans son portail et le reçoit par e-mail."
            action={write}
          />
        }
      />
      {openMessageId && (
        <MessageDialog id={openMessageId} onClose={() => setSearch(withMessage(null), { preventScrollReset: true })} />
      )}
    </>
  )
}

type Message = EndpointReply<typeof messages.get>
const DEPENDENT_QUERIES = [messages.list, messages.get]

const columns: Column<MessageRecipient>[] = [
  { header: 'Participant', card: 'title', cell: ({ name }) => name },
  {
    header: 'E-mail',
    card: 'primary',
    cell: ({ state }) => <Badge tone={RECIPIENT_STATE_LABELS[state].tone}>{RECIPIENT_STATE_LABELS[state].label}</Badge>,
  },
  {
    header: 'Ouvert dans le portail',
    card: 'primary',
    cell: ({ openedAt, remindedAt }) =>
      openedAt ? formatDateTime(openedAt) : remindedAt ? `Non, relancé le ${formatDateTime(remindedAt)}` : 'Non',
  },
  {
    header: 'Réponse',
    card: 'primary',
    cell: ({ ticketId }) =>
      ticketId && (
        <Link to={`/dashboard/support-optimized?demande=${ticketId}&view=all`} className="text-link">
          Voir la demande
        </Link>
      ),
  },
]

const CancelButton = withAccess(messages.cancel, ({ message: { id, version } }: { message: Message }) => {
  const cancel = useAction(messages.cancel, DEPENDENT_QUERIES)
  return (
    <Confirm
      trigger={<Button variant="secondary">Annuler l’envoi</Button>}
      title="Annuler ce message&#160;?"
      description="Il ne partira pas. Vous pourrez en écrire un autre."
      action="Annuler l’envoi"
      onConfirm={() => cancel.run({ params: { id }, body: { version } })}
    />
  )
})

const RemindButton = withAccess(messages.remind, ({ id }: { id: string }) => {
  const remind = useAction(messages.remind, DEPENDENT_QUERIES)
  const sendReminders = async () => {
    const { sent } = await remind.run({ params: { id } })
    const title = sent ? `${formatCount(sent, 'rappel envoyé', 'rappels envoyés')}` : 'Personne à relancer'
    toast({ title, variant: sent ? 'success' : 'default' })
  }
  return (
    <Confirm
      trigger={<Button variant="secondary">Relancer ceux qui n’ont pas ouvert</Button>}
      title="Relancer par e-mail&#160;?"
      description="Chacun de ceux qui ont un compte et n’ont pas ouvert le message reçoit un rappel, une seule fois."
      action="Envoyer les rappels"
      tone="primary"
      onConfirm={sendReminders}
    />
  )
})

function MessageContent({ message }: { message: Message }) {
  const { state, fault, author, sendAt, sentAt, target, body, recipients } = message
  const unreached = recipients.filter((one) => one.state === 'none').length
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-soft">
        <Badge tone={MESSAGE_STATE_LABELS[state].tone}>{MESSAGE_STATE_LABELS[state].label}</Badge>
        {author}, à {target}, {formatDateTime(sentAt ?? sendAt)}
      </p>
      {fault && <p className="text-body text-danger">{fault}</p>}
      <p className="rounded-card border border-line bg-page p-4 text-body wrap-anywhere whitespace-pre-line">{body}</p>
      {recipients.length > 0 && (
        <>
          <p className="text-[0.8125rem] text-ink-soft">
            «&nbsp;Ouvert&nbsp;» veut dire montré à la personne dans son portail. Les e-mails ne sont pas suivis.
            {unreached > 0 &&
              ` ${formatCount(unreached, 'personne n’a ni e-mail ni compte', 'personnes n’ont ni e-mail ni compte')}\u00a0: une lettre leur ouvre le portail.`}
          </p>
          <Table label="Destinataires" rows={recipients} columns={columns} />
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {state === 'scheduled' && <CancelButton message={message} />}
        {state === 'sent' && <RemindButton id={message.id} />}
      </div>
    </div>
  )
}

/** One message: its words, and each of its readers. */
function MessageDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...query(messages.get, { params: { id } }), staleTime: 0 })
  return (
    <Dialog open width="wide" title={data?.subject ?? 'Message'} onOpenChange={(open) => !open && onClose()}>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && <MessageContent message={data} />}
    </Dialog>
  )
}
