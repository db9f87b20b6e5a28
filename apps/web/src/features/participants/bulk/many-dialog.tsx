import { useQuery } from '@tanstack/react-query'
import type { BulkRun } from '@voisol/contract/bulk'
import { consents } from '@voisol/contract/consents'
import { useEffect, useRef } from 'react'
import { useSchemaForm } from '../../../lib/form.ts'
import { plural } from '../../../lib/format.ts'
import { lookFirst } from '../../../lib/look-first.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { actionOf, BulkForm, firstValues, KINDS, type Kind } from './actions.ts'
import { ManyFields } from './many-fields.tsx'
import { ManyReview } from './many-review.tsx'
import { type Choice, selectionOf, wordsOf } from './selection.ts'
import { useMany } from './use-many.ts'

type Props = {
  kind: Kind
  choice: Choice
  operationId?: string
  /** One of them, by whom the texts of consents are asked for. */
  sampleId: string
  onClose: () => void
  onDone: () => void
}

const Working = ({ total }: { total: number }) => (
  <p role="status" className="text-body text-ink-soft">
    {plural(total, 'participant')}&nbsp;: le travail est en cours, il continue si vous quittez cette page…
  </p>
)

const doneOf = (kind: Kind, { done }: BulkRun) => plural(done, KINDS[kind].one, KINDS[kind].many)

function ManySteps({ kind, choice, operationId, sampleId, onDone }: Omit<Props, 'onClose'>) {
  const { data } = useQuery({
    ...query(consents.list, { query: { participantId: sampleId } }),
    enabled: kind === 'consent',
  })
  const texts = data?.texts ?? []
  const { run, working, look, apply, forget } = useMany()
  const seen = run?.dryRun && run.status === 'done' ? run : null
  const body = (values: Parameters<typeof actionOf>[1]) => ({
    selection: selectionOf(choice),
    ...(operationId && { operationId }),
    action: actionOf(kind, values, texts),
  })
  const form = useSchemaForm(BulkForm, {
    defaults: firstValues(),
    save: async (values) => {
      if (!seen) return look(body(values))
      const agreed = await lookFirst(
        { kind: 'many', body: body(values) },
        `Enregistrer ${plural(seen.done, 'changement')}`,
      )
      if (agreed) await apply(body(values), seen.seal, agreed)
    },
  })
  // What was seen holds for what was asked: another date is another question.
  const { watch } = form
  useEffect(() => watch(() => forget()).unsubscribe, [watch, forget])
  const ended = run && !run.dryRun && run.status === 'done' ? run : null
  const told = useRef<string>(null)
  useEffect(() => {
    if (!ended || told.current === ended.id) return
    told.current = ended.id
    toast({ title: doneOf(kind, ended), variant: 'success' })
    if (ended.refused === 0 || ended.done > 0) onDone()
  }, [ended, kind, onDone])
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 [&>*]:min-w-0">
      <FormErrors form={form} />
      <ManyFields kind={kind} form={form} texts={texts} />
      {working && run && <Working total={run.total} />}
      {run?.status === 'failed' && (
        <p role="alert" className="text-body text-danger">
          {run.message}
        </p>
      )}
      {run?.status === 'done' && <ManyReview run={run} />}
      <Button
        type="submit"
        disabled={seen?.done === 0 || ended !== null || (kind === 'consent' && texts.length === 0)}
        loading={form.formState.isSubmitting || working}
        className="justify-self-end"
      >
        {seen ? `Enregistrer ${plural(seen.done, 'changement')}` : 'Vérifier'}
      </Button>
    </form>
  )
}

/** One kind of work for many: first what it would do, then all of it at once. */
export const ManyDialog = ({ onClose, ...props }: Props) => (
  <Dialog
    title={KINDS[props.kind].title}
    description={`${wordsOf(props.choice)}. ${KINDS[props.kind].hint} Rien n’est enregistré avant votre confirmation.`}
    width="wide"
    open
    onOpenChange={(open) => !open && onClose()}
  >
    <ManySteps
      {...props}
      onDone={() => {
        props.onDone()
        onClose()
      }}
    />
  </Dialog>
)
