import { allocations, EstimateBy, type Run, RunKind, SignOffReason } from '@voisol/contract/allocations'
import type { Operation } from '@voisol/contract/operations'
import { Day } from '@voisol/contract/primitives'
import { addDays } from '@voisol/energy/calendar'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../../../components/button.tsx'
import { Checkbox } from '../../../../components/checkbox.tsx'
import { Dialog, DialogClose } from '../../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../../components/field.tsx'
import { Textarea } from '../../../../components/input.tsx'
import { getTodayInParis, type Period } from '../../../../components/period/period.ts'
import { RadioGroup } from '../../../../components/radio-group.tsx'
import { ApiError } from '../../../../lib/call.ts'
import { withAccess } from '../../../../lib/can.tsx'
import { useSchemaForm } from '../../../../lib/form.ts'
import { formatCount } from '../../../../lib/format.ts'
import { useAction } from '../../../../lib/queries.ts'

export const StartRunDialog = withAccess(allocations.start, (props: StartRunProps) => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Lancer un calcul"
      description="Le calcul se poursuit même si vous quittez la page. Sur des données inchangées, le résultat déjà connu est repris."
      trigger={<Button icon={<Play aria-hidden="true" />}>Lancer un calcul</Button>}
    >
      <StartRunForm
        {...props}
        onStarted={(run) => {
          setOpen(false)
          props.onStarted(run)
        }}
      />
    </Dialog>
  )
})

/** People name the last day; the rest of the product names the first day after it. */
const FORM_FIELDS = { from: Day, last: Day, kind: RunKind, estimated: z.boolean(), estimateBy: EstimateBy }
const FormWithoutReason = z.object({ ...FORM_FIELDS, reason: z.string() })
const FormWithReason = z.object({ ...FORM_FIELDS, reason: SignOffReason })

const KIND_OPTIONS = [
  {
    value: 'provisional',
    label: 'Provisoire',
    hint: 'Pour suivre la période\u00a0; refait de lui-même quand de nouveaux relevés arrivent.',
  },
  {
    value: 'definitive',
    label: 'Définitif',
    hint: 'Arrête les chiffres qui serviront à facturer. La clé utilisée ne pourra plus être modifiée.',
  },
]
const ESTIMATE_HINT =
  'Sans cette case, un compteur sans relevé ne prend pas part au partage à cet instant, et il est nommé. Avec elle, le calcul porte la mention «\u00a0avec estimations\u00a0».'
const ESTIMATE_OPTIONS = [
  {
    value: 'own',
    label: 'D’après les autres jours du même compteur',
    hint: 'En ligne droite jusqu’à deux heures, sinon la moyenne des mêmes heures des quatre semaines d’avant ou, à défaut, d’après.',
  },
  {
    value: 'profile',
    label: 'Puis d’après le profil des autres compteurs',
    hint: 'Pour ce qui manque encore\u00a0: la moyenne des autres, ramenée à la taille du compteur.',
  },
]

/** Definitive figures begin with the operation. */
const getFirstDay = ({ from, to }: Period, { startsOn }: Operation) =>
  startsOn !== null && startsOn > from && startsOn < to ? startsOn : from
const getLastDay = ({ to }: Period) => addDays(to < getTodayInParis() ? to : getTodayInParis(), -1)

type StartRunProps = { operation: Operation; period: Period; onStarted: (run: Run) => void }

/** What the server found missing for a definitive run, until the period or the kind is another. */
function useStartRunForm({ operation, period, onStarted }: StartRunProps) {
  const [missing, setMissing] = useState<string[]>([])
  const { run } = useAction(allocations.start, [allocations.list])
  const needsReason = missing.length > 0
  const form = useSchemaForm(needsReason ? FormWithReason : FormWithoutReason, {
    defaults: {
      from: getFirstDay(period, operation),
      last: getLastDay(period),
      kind: 'provisional',
      estimated: false,
      estimateBy: 'own',
      reason: '',
    },
    save: async ({ last, reason, ...body }) => {
      const signOff = needsReason ? { signOff: { reason } } : {}
      try {
        onStarted(await run({ params: { id: operation.id }, body: { ...body, ...signOff, to: addDays(last, 1) } }))
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'incomplete') throw error
        setMissing((error.problem?.issues ?? []).map(({ message }) => message))
      }
    },
  })
  const clearMissing = () => setMissing([])
  return { form, missing, forget: clearMissing }
}

type StartRunFormState = ReturnType<typeof useStartRunForm>['form']

/** Only what is provisional may be estimated, and how is a choice. */
const EstimateFields = ({ form }: { form: StartRunFormState }) => (
  <>
    <Checkbox {...form.register('estimated')} label="Estimer les relevés manquants" hint={ESTIMATE_HINT} />
    {form.watch('estimated') && (
      <RadioGroup label="Comment les estimer" options={ESTIMATE_OPTIONS} {...form.register('estimateBy')} />
    )}
  </>
)

/** What is missing, and the word that is asked for to go on without it. */
const IncompleteNotice = ({ form, missing }: { form: StartRunFormState; missing: string[] }) => (
  <>
    <section aria-label="Données incomplètes" role="alert" className="grid gap-3 rounded-card bg-warning-soft p-4">
      <p className="text-body font-medium text-warning">
        Un calcul définitif sert à facturer, et ces données sont incomplètes.
      </p>
      <MissingList missing={missing} />
    </section>
    <Field
      form={form}
      name="reason"
      label="Votre raison de l’arrêter ainsi"
      hint="Elle sera gardée avec votre nom sur le calcul et dans le journal."
    >
      {(control) => <Textarea {...control} rows={3} />}
    </Field>
  </>
)

function StartRunForm(props: StartRunProps) {
  const { form, missing, forget } = useStartRunForm(props)
  const isDefinitive = form.watch('kind') === 'definitive'
  const needsReason = missing.length > 0
  const kind = form.register('kind', { onChange: () => form.setValue('estimated', false) })
  return (
    <form
      onSubmit={form.submit}
      onChange={(event) => FIELDS_CLEARING_MISSING.has(getFieldName(event.target)) && forget()}
      noValidate
      className="grid gap-5"
    >
      <FormErrors form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="from" label="Premier jour" type="date" />
        <Field form={form} name="last" label="Dernier jour" type="date" />
      </div>
      <RadioGroup label="Nature du calcul" options={KIND_OPTIONS} {...kind} />
      {!isDefinitive && <EstimateFields form={form} />}
      {needsReason && <IncompleteNotice form={form} missing={missing} />}
      <footer className="flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button variant="secondary">Annuler</Button>
        </DialogClose>
        <Button type="submit" loading={form.formState.isSubmitting}>
          {needsReason
            ? 'Confirmer malgré ces manques'
            : isDefinitive
              ? 'Lancer le calcul définitif'
              : 'Lancer le calcul'}
        </Button>
      </footer>
    </form>
  )
}

/** Other days, or another kind, lack other things. */
const FIELDS_CLEARING_MISSING = new Set(['from', 'last', 'kind'])
const getFieldName = (target: EventTarget) => (target instanceof HTMLInputElement ? target.name : '')

const VISIBLE_COUNT = 5

/** What a definitive run lacks, a sentence each; a long list opens on demand. */
export const MissingList = ({ missing }: { missing: string[] }) => (
  <div className="grid gap-1.5 text-body">
    <ul className="grid list-disc gap-1.5 pl-5">
      {missing.slice(0, VISIBLE_COUNT).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    {missing.length > VISIBLE_COUNT && (
      <details>
        <summary className="min-h-6 cursor-pointer text-link">
          {formatCount(missing.length - VISIBLE_COUNT, 'autre manque', 'autres manques')}
        </summary>
        <ul className="mt-1.5 grid list-disc gap-1.5 pl-5">
          {missing.slice(VISIBLE_COUNT).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    )}
  </div>
)
