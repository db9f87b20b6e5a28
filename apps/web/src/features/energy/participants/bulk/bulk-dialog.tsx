import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { BulkLine, BulkRun } from '@voisol/contract/bulk'
import { consents } from '@voisol/contract/consents'
import { participants } from '@voisol/contract/participants'
import { useEffect, useRef, useState } from 'react'
import { Badge, type Tone } from '../../../../components/badge.tsx'
import { Button } from '../../../../components/button.tsx'
import { Dialog } from '../../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { Select } from '../../../../components/input.tsx'
import { type Column, Table } from '../../../../components/table.tsx'
import { confirmImpact, type ImpactPreviewToken } from '../../../../lib/confirm-impact.ts'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatCount } from '../../../../lib/format.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import { PARTICIPANT_DEPENDENT_QUERIES } from '../labels.ts'
import {
  BULK_ACTION_LABELS,
  BulkActionForm,
  type BulkActionKind,
  type BulkRequest,
  describeSelection,
  getInitialBulkValues,
  type ParticipantSelection,
  toBulkAction,
  toBulkSelection,
} from './bulk-actions.ts'

type Props = {
  kind: BulkActionKind
  choice: ParticipantSelection
  operationId?: string
  /** One of them, by whom the texts of consents are asked for. */
  sampleId: string
  onClose: () => void
  onDone: () => void
}

const BulkProgress = ({ total }: { total: number }) => (
  <p role="status" className="text-body text-ink-soft">
    {formatCount(total, 'participant')}&nbsp;: le travail est en cours, il continue si vous quittez cette page…
  </p>
)

const describeResult = (kind: BulkActionKind, { done }: BulkRun) =>
  formatCount(done, BULK_ACTION_LABELS[kind].one, BULK_ACTION_LABELS[kind].many)

function BulkSteps({ kind, choice, operationId, sampleId, onDone }: Omit<Props, 'onClose'>) {
  const { data } = useQuery({
    ...query(consents.list, { query: { participantId: sampleId } }),
    enabled: kind === 'consent',
  })
  const texts = data?.texts ?? []
  const { run, working, look, apply, forget } = useBulkRun()
  const preview = run?.dryRun && run.status === 'done' ? run : null
  const body = (values: Parameters<typeof toBulkAction>[1]) => ({
    selection: toBulkSelection(choice),
    ...(operationId && { operationId }),
    action: toBulkAction(kind, values, texts),
  })
  const form = useSchemaForm(BulkActionForm, {
    defaults: getInitialBulkValues(),
    save: async (values) => {
      if (!preview) return look(body(values))
      const previewToken = await confirmImpact(
        { kind: 'many', body: body(values) },
        `Enregistrer ${formatCount(preview.done, 'changement')}`,
      )
      if (previewToken) await apply(body(values), preview.seal, previewToken)
    },
  })
  // What was seen holds for what was asked: another date is another question.
  const { watch } = form
  useEffect(() => watch(() => forget()).unsubscribe, [watch, forget])
  const finishedRun = run && !run.dryRun && run.status === 'done' ? run : null
  const announcedRunId = useRef<string>(null)
  useEffect(() => {
    if (!finishedRun || announcedRunId.current === finishedRun.id) return
    announcedRunId.current = finishedRun.id
    toast({ title: describeResult(kind, finishedRun), variant: 'success' })
    if (finishedRun.refused === 0 || finishedRun.done > 0) onDone()
  }, [finishedRun, kind, onDone])
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 [&>*]:min-w-0">
      <FormErrors form={form} />
      <BulkActionFields kind={kind} form={form} texts={texts} />
      {working && run && <BulkProgress total={run.total} />}
      {run?.status === 'failed' && (
        <p role="alert" className="text-body text-danger">
          {run.message}
        </p>
      )}
      {run?.status === 'done' && <BulkReview run={run} />}
      <Button
        type="submit"
        disabled={preview?.done === 0 || finishedRun !== null || (kind === 'consent' && texts.length === 0)}
        loading={form.formState.isSubmitting || working}
        className="justify-self-end"
      >
        {preview ? `Enregistrer ${formatCount(preview.done, 'changement')}` : 'Vérifier'}
      </Button>
    </form>
  )
}

/** One kind of work for many: first what it would do, then all of it at once. */
export const BulkActionDialog = ({ onClose, ...props }: Props) => (
  <Dialog
    title={BULK_ACTION_LABELS[props.kind].title}
    description={`${describeSelection(props.choice)}. ${BULK_ACTION_LABELS[props.kind].hint} Rien n’est enregistré avant votre confirmation.`}
    width="wide"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <BulkSteps
      {...props}
      onDone={() => {
        props.onDone()
        onClose()
      }}
    />
  </Dialog>
)

type BulkInput = Pick<BulkRequest, 'selection' | 'operationId' | 'action'>
const POLL_MS = 800

/** Asked twice of the server: once to say what would happen, once to do it for those who were seen. A long one is followed. */
function useBulkRun() {
  const client = useQueryClient()
  const send = useAction(participants.bulk, [...PARTICIPANT_DEPENDENT_QUERIES, participants.tags])
  const [startedRun, setStartedRun] = useState<BulkRun | null>(null)
  const isLong = startedRun?.status === 'running'
  const { data: followed } = useQuery({
    ...query(participants.bulkRun, { params: { id: startedRun?.id ?? '' } }),
    enabled: isLong,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' || !state.data ? POLL_MS : false),
  })
  const run = isLong && followed?.id === startedRun.id ? followed : startedRun
  const isDone = run?.status === 'done' && !run.dryRun
  useEffect(() => {
    // A job ends after its call: what it changed is read again then.
    if (isLong && isDone)
      for (const { path } of PARTICIPANT_DEPENDENT_QUERIES) void client.invalidateQueries({ queryKey: [path] })
  }, [client, isLong, isDone])
  return {
    run,
    working: send.isPending || run?.status === 'running',
    look: async (body: BulkInput) => setStartedRun(await send.run({ body: { ...body, dryRun: true } })),
    apply: async (body: BulkInput, seal: string, seen: ImpactPreviewToken) =>
      setStartedRun(await send.run({ body: { ...body, dryRun: false, seal, ...seen } })),
    forget: () => setStartedRun(null),
  }
}

const OUTCOME_LABELS: Record<BulkLine['outcome'], { label: string; tone: Tone }> = {
  done: { label: 'Possible', tone: 'success' },
  unchanged: { label: 'Inchangé', tone: 'neutral' },
  refused: { label: 'Refusé', tone: 'danger' },
}
const buildColumns = (isDone: boolean): Column<BulkLine>[] => [
  {
    header: 'Résultat',
    cell: ({ outcome }) => (
      <Badge tone={OUTCOME_LABELS[outcome].tone}>
        {isDone && outcome === 'done' ? 'Fait' : OUTCOME_LABELS[outcome].label}
      </Badge>
    ),
  },
  { header: 'Participant', cell: ({ label }) => <span className="tabular block min-w-44">{label}</span> },
  { header: 'Remarque', cell: ({ message }) => <span className="block min-w-56 py-1">{message}</span> },
]

/** What would be done, what is refused and why; once done, the same in the past. */
function BulkReview({ run }: { run: BulkRun }) {
  const { dryRun, done, unchanged, refused, lines } = run
  const all = done + unchanged + refused
  return (
    <>
      <p role="status" className="text-body">
        {dryRun
          ? formatCount(done, 'changement possible', 'changements possibles')
          : formatCount(done, 'changement fait', 'changements faits')}
        {refused > 0 && `, ${formatCount(refused, 'refusé', 'refusés')}`}
        {unchanged > 0 && `, ${formatCount(unchanged, 'sans changement', 'sans changement')}`}.
      </p>
      <Table label="Changements" rows={lines} columns={buildColumns(!dryRun)} />
      {lines.length < all && (
        <p className="text-[0.8125rem] text-ink-soft">
          Les {lines.length} premières lignes sur {all}, refus en tête.
        </p>
      )}
    </>
  )
}

type BulkConsentText = { purpose: string; version: string; title: string }
type ManyFieldsProps = {
  kind: BulkActionKind
  form: ReturnType<typeof useSchemaForm<typeof BulkActionForm>>
  texts: BulkConsentText[]
}

const twoColumnsClass = 'grid gap-4 sm:grid-cols-2'

const DateFields = ({ kind, form }: ManyFieldsProps) => (
  <div className={twoColumnsClass}>
    <Field
      form={form}
      name="on"
      label={kind === 'entry' ? 'Jour d’entrée' : 'Jour de sortie'}
      hint={kind === 'entry' ? 'Premier jour dans l’opération.' : 'Premier jour qui n’en fait plus partie.'}
      type="date"
    />
    <Field
      form={form}
      name="noticeOn"
      label="Date de la notification"
      hint="Le jour où le mouvement a été annoncé."
      type="date"
      optional
    />
  </div>
)

const PaperConsentFields = ({ form, texts }: ManyFieldsProps) => (
  <>
    <Field form={form} name="purpose" label="Finalité">
      {(control) => (
        <Select {...control} options={texts.map(({ purpose, title }) => ({ value: purpose, label: title }))} />
      )}
    </Field>
    <div className={twoColumnsClass}>
      <Field form={form} name="on" label="Signé le" hint="La date portée sur le document." type="date" />
      <Field form={form} name="expiresOn" label="Valable jusqu’au" hint="Trois ans au plus." type="date" />
    </div>
  </>
)

const TagFields = ({ form }: ManyFieldsProps) => (
  <div className={twoColumnsClass}>
    <Field
      form={form}
      name="add"
      label="À ajouter"
      hint="Séparées par des virgules."
      placeholder="bâtiment B, à rappeler"
      autoComplete="off"
      optional
    />
    <Field form={form} name="remove" label="À retirer" hint="Séparées par des virgules." autoComplete="off" optional />
  </div>
)

/** What each kind of work asks for; an invitation or a request asks for nothing. */
function BulkActionFields(props: ManyFieldsProps) {
  if (props.kind === 'invite' || props.kind === 'ask') return null
  if (props.kind === 'agreement') return <Field form={props.form} name="on" label="Accord signé le" type="date" />
  if (props.kind === 'consent') return <PaperConsentFields {...props} />
  return props.kind === 'tags' ? <TagFields {...props} /> : <DateFields {...props} />
}
