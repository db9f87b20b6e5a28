import { participations } from '@voisol/contract/points'
import { Day } from '@voisol/contract/primitives'
import { useState } from 'react'
import { z } from 'zod'
import { useSchemaForm } from '../../../lib/form.ts'
import { plural } from '../../../lib/format.ts'
import { lookFirst, type Seen } from '../../../lib/look-first.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { typedDay } from '../../../lib/typed-fields.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormErrors } from '../../../ui/form-errors.tsx'
import { todayInParis } from '../../../ui/period/period.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TOUCHED } from '../labels.ts'
import { type BulkReport, BulkReview } from './bulk-review.tsx'
import { useOpenParticipations } from './use-open-participations.ts'

export type Change = 'entry' | 'exit'
const WORDS = {
  entry: { title: 'Dater l’entrée', day: 'Jour d’entrée', one: 'entrée enregistrée', many: 'entrées enregistrées' },
  exit: { title: 'Dater la sortie', day: 'Jour de sortie', one: 'sortie enregistrée', many: 'sorties enregistrées' },
}
const HINTS = {
  entry: 'Premier jour dans l’opération.',
  exit: 'Premier jour qui n’en fait plus partie.',
}
const BulkForm = z.object({ on: Day, noticeOn: typedDay })

type BulkProps = { change: Change; ids: string[]; operationId?: string; onClose: () => void; onDone: () => void }

/** Asked twice of the server: once to say what would happen, once to do it. */
function BulkSteps({ change, ids, onDone }: { change: Change; ids: string[]; onDone: () => void }) {
  const [report, setReport] = useState<BulkReport>()
  const bulk = useAction(participations.bulk, TOUCHED)
  const send = (value: z.output<typeof BulkForm>, dryRun: boolean, seen: Seen = {}) =>
    bulk.run({ body: { ids, change, ...value, dryRun, ...seen } })
  const form = useSchemaForm(BulkForm, {
    defaults: { on: todayInParis(), noticeOn: '' },
    save: async (value) => {
      if (!report) return setReport(await send(value, true))
      const action = `Enregistrer ${plural(report.changed, 'changement')}`
      const seen = await lookFirst({ kind: 'bulk', body: { ids, change, ...value } }, action)
      if (!seen) return
      const { changed } = await send(value, false, seen)
      toast({ title: plural(changed, WORDS[change].one, WORDS[change].many), variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4 [&>*]:min-w-0">
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2" onChange={() => setReport(undefined)}>
        <Field form={form} name="on" label={WORDS[change].day} hint={HINTS[change]} type="date" />
        <Field
          form={form}
          name="noticeOn"
          label="Date de la notification"
          hint="Le jour où le mouvement a été annoncé."
          type="date"
          optional
        />
      </div>
      {report && <BulkReview report={report} />}
      <Button
        type="submit"
        disabled={report?.changed === 0}
        loading={form.formState.isSubmitting}
        className="justify-self-end"
      >
        {report ? `Enregistrer ${plural(report.changed, 'changement')}` : 'Vérifier'}
      </Button>
    </form>
  )
}

const describe = (points: number, without: number) =>
  `${plural(points, 'point concerné', 'points concernés')}. ${
    without > 0
      ? `${plural(without, 'participant', 'participants')} sans participation en cours ${without < 2 ? 'n’est pas concerné' : 'ne sont pas concernés'}.`
      : 'Rien n’est enregistré avant votre confirmation.'
  }`

export function BulkDialog({ change, ids, operationId, onClose, onDone }: BulkProps) {
  const { known, error, refetch, participationIds, without } = useOpenParticipations(ids, operationId)
  const done = () => {
    onDone()
    onClose()
  }
  return (
    <Dialog
      title={WORDS[change].title}
      description={known ? describe(participationIds.length, without) : 'Lecture des participations…'}
      width="wide"
      open
      onOpenChange={(open) => !open && onClose()}
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!known && !error && <Skeleton className="h-24 w-full" />}
      {known && participationIds.length > 0 && <BulkSteps change={change} ids={participationIds} onDone={done} />}
    </Dialog>
  )
}
