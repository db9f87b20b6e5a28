import { useQuery } from '@tanstack/react-query'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { MESSAGE_FIELDS, type MessageAudience, type MessageTarget, messages } from '@voisol/contract/messages'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { MailView } from '../../../components/document-preview.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { FieldFrame, Input, Select, Textarea } from '../../../components/input.tsx'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { ApiError } from '../../../lib/call.ts'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDateTime } from '../../../lib/format.ts'
import { parseParisInput } from '../../../lib/paris-time.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { AUDIENCE_LABELS } from './labels.ts'

type MessageDraft = { choice: RecipientChoice; subject: string; body: string; later: boolean; at: string }
type MessagePreviewReply = EndpointReply<typeof messages.preview>
type Faults = Record<string, string>
type DraftPartProps = { draft: MessageDraft; faults: Faults; change: (more: Partial<MessageDraft>) => void }

const EMPTY_DRAFT: MessageDraft = {
  choice: { audience: 'operation', value: '' },
  subject: '',
  body: '',
  later: false,
  at: '',
}
const FIELD_LIST = Object.keys(MESSAGE_FIELDS)
  .map((name) => `{{${name}}}`)
  .join(', ')

function toMessageTarget({ audience, value }: RecipientChoice): MessageTarget {
  if (audience === 'operation') return { kind: 'operation', operationId: value }
  if (audience === 'group') return { kind: 'group', tag: value }
  return { kind: 'person', participantId: value }
}
const toPreviewInput = ({ choice, subject, body }: MessageDraft) => ({ subject, body, to: toMessageTarget(choice) })

/** What the contract says against it, by field; what is not chosen yet is one thing to say. */
function validateDraft(draft: MessageDraft): Faults {
  const found: Faults = {}
  const parsed = messages.preview.body.safeParse(toPreviewInput(draft))
  for (const { path, message } of parsed.error?.issues ?? []) found[String(path[0])] ??= message
  if (!draft.choice.value) found.to = 'Choisissez à qui vous écrivez.'
  if (draft.later && !parseParisInput(draft.at)) found.sendAt = 'Moment attendu, par exemple 24/12/2026 09:00.'
  return found
}
const toFieldFaults = (error: unknown): Faults =>
  error instanceof ApiError
    ? Object.fromEntries((error.problem?.issues ?? []).map(({ path, message }) => [path.split('.')[0] ?? '', message]))
    : {}

function Templates({ draft, change }: DraftPartProps) {
  const { data } = useQuery(query(messages.templates, {}))
  const save = useAction(messages.saveTemplate, [messages.templates])
  const saveAsTemplate = () =>
    save.run({ body: { name: draft.subject.slice(0, 80), subject: draft.subject, body: draft.body } }).then(
      ({ name }) => toast({ title: `Modèle «\u00a0${name}\u00a0» gardé`, variant: 'success' }),
      (error: unknown) =>
        toast({ title: 'Modèle non gardé', description: explainError(error), variant: 'destructive' }),
    )
  const hasContent = Boolean(draft.subject && draft.body)
  if (!data?.items.length && !hasContent) return null
  return (
    <div className="flex flex-wrap items-end gap-3">
      {data && data.items.length > 0 && (
        <FieldFrame id="message-template" label="Partir d’un modèle" optional>
          <Select
            id="message-template"
            value=""
            onChange={({ target }) => {
              const chosen = data.items.find(({ id }) => id === target.value)
              if (chosen) change({ subject: chosen.subject, body: chosen.body })
            }}
            options={[
              { value: '', label: 'Choisir un modèle…' },
              ...data.items.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </FieldFrame>
      )}
      {hasContent && (
        <Button variant="quiet" loading={save.isPending} onClick={saveAsTemplate}>
          Garder comme modèle
        </Button>
      )}
    </div>
  )
}

const SubjectAndBodyFields = ({ draft, faults, change }: DraftPartProps) => (
  <>
    <FieldFrame id="message-subject" label="Objet" {...(faults.subject && { error: faults.subject })}>
      <Input
        id="message-subject"
        value={draft.subject}
        aria-invalid={faults.subject ? true : undefined}
        onChange={(event) => change({ subject: event.target.value })}
      />
    </FieldFrame>
    <FieldFrame
      id="message-body"
      label="Message"
      hint={`Champs remplis pour chacun\u00a0: ${FIELD_LIST}.`}
      {...(faults.body && { error: faults.body })}
    >
      <Textarea
        id="message-body"
        rows={8}
        value={draft.body}
        aria-describedby="message-body-hint"
        aria-invalid={faults.body ? true : undefined}
        onChange={(event) => change({ body: event.target.value })}
      />
    </FieldFrame>
  </>
)

const SendTimeField = ({ draft, faults, change }: DraftPartProps) => (
  <div className="grid gap-3">
    <RadioGroup
      label="Départ"
      options={[
        { value: 'now', label: 'Maintenant' },
        { value: 'later', label: 'Plus tard' },
      ]}
      value={draft.later ? 'later' : 'now'}
      onChange={({ target }) => change({ later: target.value === 'later' })}
    />
    {draft.later && (
      <FieldFrame
        id="message-at"
        label="Date et heure"
        hint="À l’heure de Paris."
        {...(faults.sendAt && { error: faults.sendAt })}
      >
        <DateInput id="message-at" of="moment" value={draft.at} onValue={(at) => change({ at })} />
      </FieldFrame>
    )}
  </div>
)

function MessagePreview({
  preview,
  draft,
  onSent,
}: {
  preview: MessagePreviewReply
  draft: MessageDraft
  onSent: () => void
}) {
  const create = useAction(messages.create, [messages.list])
  const sendAt = draft.later ? parseParisInput(draft.at) : null
  const send = () =>
    create.run({ body: { ...toPreviewInput(draft), sendAt } }).then(
      () => {
        toast({
          title: sendAt ? `Message programmé le ${formatDateTime(sendAt)}` : 'Message envoyé',
          variant: 'success',
        })
        onSent()
      },
      (error: unknown) =>
        toast({ title: 'Message non envoyé', description: explainError(error), variant: 'destructive' }),
    )
  const { recipients, none } = preview
  return (
    <Card
      title="Aperçu"
      description={`${formatCount(recipients, 'destinataire')}. Voici le message de ${preview.name}, tel qu’il partira.`}
    >
      <div className="grid gap-4">
        {none.length > 0 && (
          <p className="text-body text-warning">
            Ni e-mail ni compte{'\u00a0'}: {none.slice(0, 5).join(', ')}
            {none.length > 5 && ` et ${none.length - 5} autres`}. Une lettre leur ouvre le portail.
          </p>
        )}
        <MailView mail={preview.sample} />
        <Button loading={create.isPending} onClick={send} className="justify-self-start">
          {sendAt ? 'Programmer ce message' : `Envoyer à ${formatCount(recipients, 'destinataire')}`}
        </Button>
      </div>
    </Card>
  )
}

/** Written, seen as a reader will see it, then sent or scheduled. */
export default function ComposeMessage({ onDone }: { onDone: () => void }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [faults, setFaults] = useState<Faults>({})
  const [preview, setPreview] = useState<MessagePreviewReply>()
  const previewAction = useAction(messages.preview, [])
  const change = (more: Partial<MessageDraft>) => {
    setDraft({ ...draft, ...more })
    setPreview(undefined)
  }
  const showPreview = async () => {
    const draftFaults = validateDraft(draft)
    setFaults(draftFaults)
    if (Object.keys(draftFaults).length) return
    try {
      setPreview(await previewAction.run({ body: toPreviewInput(draft) }))
    } catch (error) {
      setFaults(toFieldFaults(error))
      toast({ title: 'Aperçu impossible', description: explainError(error), variant: 'destructive' })
    }
  }
  const part = { draft, faults, change }
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
      <Card title="Nouveau message">
        <div className="grid gap-5">
          <RecipientFields choice={draft.choice} error={faults.to} onChange={(choice) => change({ choice })} />
          <Templates {...part} />
          <SubjectAndBodyFields {...part} />
          <SendTimeField {...part} />
          <div className="flex flex-wrap gap-2">
            <Button
              variant={preview ? 'secondary' : 'primary'}
              loading={previewAction.isPending}
              onClick={() => void showPreview()}
            >
              Voir l’aperçu
            </Button>
            <Button variant="quiet" onClick={onDone}>
              Abandonner
            </Button>
          </div>
        </div>
      </Card>
      {preview && <MessagePreview preview={preview} draft={draft} onSent={onDone} />}
    </div>
  )
}

type RecipientChoice = { audience: MessageAudience; value: string }
type Props = { choice: RecipientChoice; error: string | undefined; onChange: (choice: RecipientChoice) => void }

const AUDIENCE_OPTIONS = (['operation', 'group', 'person'] as const).map((value) => ({
  value,
  label: AUDIENCE_LABELS[value],
}))
const AUDIENCE_FIELD_LABELS: Record<MessageAudience, string> = {
  operation: 'Opération',
  group: 'Groupe',
  person: 'Participant',
}
const EMPTY_OPTION = { value: '', label: 'Choisir…' }

/** What may be chosen; a group is those who bear the same tag. */
function useRecipientOptions(audience: MessageAudience, q: string) {
  const all = useQuery({
    ...query(operations.list, { query: { size: 100, sort: 'name' } }),
    enabled: audience === 'operation',
  })
  const tags = useQuery({ ...query(participants.tags, {}), enabled: audience === 'group' })
  const search = { size: 50, ...(q && { q }) }
  const people = useQuery({ ...query(participants.list, { query: search }), enabled: audience === 'person' })
  if (audience === 'operation') return all.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  if (audience === 'group')
    return (
      tags.data?.items.map(({ tag, count }) => ({
        value: tag,
        label: `${tag} (${formatCount(count, 'participant')})`,
      })) ?? []
    )
  return people.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
}

/** To whom it goes. */
function RecipientFields({ choice, error, onChange }: Props) {
  const [q, setQ] = useState('')
  const { audience, value } = choice
  const options = useRecipientOptions(audience, q)
  return (
    <div className="grid gap-4">
      <RadioGroup
        label="Destinataires"
        options={AUDIENCE_OPTIONS}
        value={audience}
        onChange={({ target }) => {
          const next = AUDIENCE_OPTIONS.find((one) => one.value === target.value)
          if (next) onChange({ audience: next.value, value: '' })
        }}
      />
      {audience === 'person' && (
        <SearchBox label="Rechercher un participant" value={q} onSearch={setQ} className="w-full sm:w-80" />
      )}
      <FieldFrame
        id="message-target"
        label={AUDIENCE_FIELD_LABELS[audience]}
        {...(audience === 'group' && { hint: 'Les participants qui portent la même étiquette.' })}
        {...(error && { error })}
      >
        <Select
          id="message-target"
          value={value}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange({ audience, value: event.target.value })}
          options={[EMPTY_OPTION, ...options]}
        />
      </FieldFrame>
    </div>
  )
}
