import { useQuery } from '@tanstack/react-query'
import type { BulkRun } from '@voisol/contract/bulk'
import { consents } from '@voisol/contract/consents'
import { useEffect, useRef } from 'react'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount } from '../../../lib/format.ts'
import { confirmImpact } from '../../../lib/look-first.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import {
  BULK_ACTION_LABELS,
  BulkActionForm,
  type BulkActionKind,
  getInitialBulkValues,
  toBulkAction,
} from './actions.ts'
import { BulkActionFields } from './many-fields.tsx'
import { BulkReview } from './many-review.tsx'
import { describeSelection, type ParticipantSelection, toBulkSelection } from './selection.ts'
import { useBulkRun } from './use-many.ts'

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
