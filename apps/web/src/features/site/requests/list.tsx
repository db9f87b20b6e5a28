import { type RequestKind, type RequestStatus, requests, type SiteRequest } from '@voisol/contract/requests'
import { useState } from 'react'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { FactList } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { FieldFrame, Select, Textarea } from '../../../components/input.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { Can, withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const columns: Column<SiteRequest>[] = [
  { header: 'Reçue le', card: 'primary', sort: 'createdAt', cell: (one) => formatDateTime(one.createdAt) },
  { header: 'Nature', card: 'primary', sort: 'kind', cell: (one) => REQUEST_KIND_LABELS[one.kind] },
  {
    header: 'Visiteur',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{getVisitorName(one)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[one.company, one.email].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    header: 'Sujet',
    card: 'secondary',
    cell: (one) => (
      <span className="block min-w-40">
        {one.subject || REQUEST_SUBSCRIPTION_LABELS[one.subscription] || '–'}
        {one.message && <span className="line-clamp-1 text-[0.8125rem] text-ink-soft">{one.message}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => (
      <Badge tone={REQUEST_STATUS_LABELS[status].tone}>{REQUEST_STATUS_LABELS[status].label}</Badge>
    ),
  },
]

export function RequestList() {
  const list = useList(requests.list)
  const [open, setOpen] = useState<SiteRequest | null>(null)
  const current = list.items.find(({ id }) => id === open?.id) ?? open
  return (
    <>
      <ListScreen
        list={list}
        label="Demandes"
        search="Rechercher un nom, une adresse, un mot"
        columns={columns}
        filters={
          <>
            <FilterChips
              label="Nature"
              options={requestKindOptions}
              value={list.filters.kind}
              onChange={(kind) => list.setFilters({ kind })}
            />
            <FilterChips
              label="État"
              options={requestStatusOptions}
              value={list.filters.status}
              onChange={(status) => list.setFilters({ status })}
            />
          </>
        }
        exports={
          <ExportMenu
            endpoint={requests.export}
            input={(format) => ({ query: { ...list.filters, format: toTableFormat(format) } })}
          />
        }
        rowActions={(one) => (
          <Button
            variant="quiet"
            size="small"
            aria-label={`Ouvrir ${getVisitorName(one)}`}
            onClick={() => setOpen(one)}
          >
            Ouvrir
          </Button>
        )}
        empty={
          <EmptyState
            title="Aucune demande"
            why="Messages, abonnements à la lettre, livres blancs et inscriptions aux webinaires arrivent ici."
            because="comes-by-itself"
          />
        }
      />
      {current && <SiteRequestDialog request={current} onClose={() => setOpen(null)} />}
    </>
  )
}

const RequestFacts = ({ request }: { request: SiteRequest }) => (
  <dl className="grid gap-x-6 gap-y-3 text-body sm:grid-cols-2">
    {[
      ['Nature', REQUEST_KIND_LABELS[request.kind]],
      ['Reçue le', formatDateTime(request.createdAt)],
      ['Adresse', request.email],
      ['Organisation', request.company],
      ['Téléphone', request.phone],
      ['Sujet', request.subject],
      ['Abonnement', REQUEST_SUBSCRIPTION_LABELS[request.subscription]],
      ['Suivie par', request.handledBy],
    ]
      .filter(([, text]) => text)
      .map(([term, text]) => (
        <div key={term}>
          <dt className="text-[0.8125rem] text-ink-soft">{term}</dt>
          <dd className="break-words">{text}</dd>
        </div>
      ))}
  </dl>
)

const ReplyForm = withAccess(
  requests.reply,
  ({ request, onProblem }: { request: SiteRequest; onProblem: (text: string) => void }) => {
    const reply = useAction(requests.reply, [requests.list])
    const [message, setMessage] = useState('')
    const send = () =>
      reply.run({ params: { id: request.id }, body: { version: request.version, message } }).then(
        () => {
          setMessage('')
          toast({ title: 'Réponse envoyée', variant: 'success' })
        },
        (error: unknown) => onProblem(explainError(error)),
      )
    return (
      <div className="grid gap-3">
        <FieldFrame id="reply" label={`Répondre à ${request.email}`}>
          <Textarea id="reply" rows={5} value={message} onChange={(event) => setMessage(event.target.value)} />
        </FieldFrame>
        <Button
          className="justify-self-end"
          disabled={!message.trim()}
          loading={reply.isPending}
          onClick={() => void send()}
        >
          Envoyer la réponse
        </Button>
      </div>
    )
  },
)

const FollowUpFacts = ({ request: { status, note } }: { request: SiteRequest }) => (
  <FactList
    facts={[
      { label: 'État', value: REQUEST_STATUS_LABELS[status].label },
      { label: 'Note interne', value: note || 'Aucune' },
    ]}
  />
)

function FollowUpForm({ request, onProblem }: { request: SiteRequest; onProblem: (text: string) => void }) {
  const update = useAction(requests.update, [requests.list])
  const [status, setStatus] = useState<RequestStatus>(request.status)
  const [note, setNote] = useState(request.note)
  const save = () =>
    update.run({ params: { id: request.id }, body: { version: request.version, status, note } }).then(
      () => toast({ title: 'Suivi enregistré', variant: 'success' }),
      (error: unknown) => onProblem(explainError(error)),
    )
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <FieldFrame id="request-status" label="État">
        <Select
          id="request-status"
          value={status}
          options={requestStatusOptions}
          onChange={(event) => setStatus(event.target.value as RequestStatus)} // the options are the states
        />
      </FieldFrame>
      <FieldFrame id="request-note" label="Note interne" optional>
        <Textarea id="request-note" rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      </FieldFrame>
      <Button variant="secondary" className="justify-self-end" loading={update.isPending} onClick={() => void save()}>
        Enregistrer le suivi
      </Button>
    </div>
  )
}

function SiteRequestDialog({ request, onClose }: { request: SiteRequest; onClose: () => void }) {
  const [problem, setProblem] = useState('')
  return (
    <Dialog title={getVisitorName(request)} open onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-5">
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
        <RequestFacts request={request} />
        {request.message && (
          <blockquote className="rounded-card border border-line bg-page p-4 text-body break-words whitespace-pre-line">
            {request.message}
          </blockquote>
        )}
        <ReplyForm key={`reply-${request.version}`} request={request} onProblem={setProblem} />
        <Can call={requests.update} otherwise={<FollowUpFacts request={request} />}>
          <FollowUpForm key={`follow-${request.version}`} request={request} onProblem={setProblem} />
        </Can>
      </div>
    </Dialog>
  )
}

const REQUEST_KIND_LABELS: Record<RequestKind, string> = {
  contact: 'Contact',
  newsletter: 'Lettre',
  'white-paper': 'Livre blanc',
  webinar: 'Webinaire',
}
const REQUEST_STATUS_LABELS: Record<RequestStatus, { label: string; tone: Tone }> = {
  new: { label: 'Nouvelle', tone: 'info' },
  'in-progress': { label: 'En cours', tone: 'warning' },
  answered: { label: 'Répondue', tone: 'success' },
  closed: { label: 'Close', tone: 'neutral' },
}
const REQUEST_SUBSCRIPTION_LABELS: Record<SiteRequest['subscription'], string> = {
  none: '',
  waiting: 'Abonnement à confirmer',
  confirmed: 'Abonné',
  left: 'Désabonné',
}
const requestKindOptions = Object.entries(REQUEST_KIND_LABELS).map(([value, label]) => ({ value, label }))
const requestStatusOptions = Object.entries(REQUEST_STATUS_LABELS).map(([value, { label }]) => ({
  value,
  label,
}))
const getVisitorName = ({ firstName, lastName, email }: SiteRequest) => `${firstName} ${lastName}`.trim() || email
