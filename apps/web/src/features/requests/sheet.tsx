import { type RequestStatus, requests, type SiteRequest } from '@voisol/contract/requests'
import { useState } from 'react'
import { Can, withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import {
  getVisitorName,
  REQUEST_KIND_LABELS,
  REQUEST_STATUS_LABELS,
  REQUEST_SUBSCRIPTION_LABELS,
  requestStatusOptions,
} from './labels.ts'

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

export function SiteRequestDialog({ request, onClose }: { request: SiteRequest; onClose: () => void }) {
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
