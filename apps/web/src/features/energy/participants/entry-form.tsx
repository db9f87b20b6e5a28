import { getUsualSegment, participations } from '@voisol/contract/points'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { RadioGroup } from '../../../components/radio-group.tsx'
import { confirmImpact } from '../../../lib/confirm-impact.ts'
import { ENTRY_LABELS, toChoices } from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PointFieldset, useOperationChoices } from './entry-choices.tsx'
import { PARTICIPANT_DEPENDENT_QUERIES } from './labels.ts'
import { EMPTY_POINT, EntryForm, type EntryFormState, toParticipationDraft } from './meter-form.ts'

type Props = { participantId: string; operationId?: string; onDone: () => void; later?: ReactNode }

const ParticipationDateFields = ({ form }: { form: EntryFormState }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field form={form} name="startsOn" label="Entrée" type="date" />
    <Field form={form} name="endsOn" label="Sortie" type="date" optional />
    <Field form={form} name="agreementSignedOn" label="Accord signé le" type="date" optional />
  </div>
)

const EntryPlaceFields = ({ form }: { form: EntryFormState }) => {
  const { known: isLoaded, options } = useOperationChoices()
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="operationId"
          label="Opération"
          hint={isLoaded && options.length === 0 ? 'Créez d’abord une opération.' : undefined}
        >
          {/* Drawn again once the choices are there: a list without the chosen one shows another. */}
          {(control) => (
            <Select key={String(isLoaded)} {...control} options={[{ value: '', label: 'Choisir' }, ...options]} />
          )}
        </Field>
        <Field
          form={form}
          name="prm"
          label="PRM"
          placeholder="19 125 759 625 988"
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
      <RadioGroup
        label="Sens"
        options={toChoices(ENTRY_LABELS)}
        {...form.register('direction', {
          onChange: () =>
            form.setValue(
              'point.segment',
              getUsualSegment(form.getValues('direction') === 'production' ? 'production' : 'consumption'),
            ),
        })}
      />
      {form.watch('direction') === 'battery' && (
        <p className="text-[0.8125rem] text-ink-soft">
          Ses deux sens entrent ensemble, sous un même PRM{'\u00a0'}: elle consomme quand elle se charge, elle produit
          quand elle restitue.
        </p>
      )}
    </>
  )
}

/** A point comes into an operation for somebody, from a day on. */
export function EntryFields({ participantId, operationId, onDone, later }: Props) {
  const create = useAction(participations.create, PARTICIPANT_DEPENDENT_QUERIES)
  const form = useSchemaForm(EntryForm, {
    defaults: {
      operationId: operationId ?? '',
      prm: '',
      direction: 'consumption',
      point: EMPTY_POINT,
      startsOn: getTodayInParis(),
      endsOn: '',
      agreementSignedOn: '',
    },
    save: async (entry) => {
      const body = toParticipationDraft(participantId, entry)
      const previewToken = await confirmImpact({ kind: 'join', body }, 'Ajouter le point')
      if (!previewToken) return
      const { operationName } = await create.run({ body: { ...body, ...previewToken } })
      toast({
        title: entry.direction === 'battery' ? 'Batterie ajoutée' : 'Point ajouté',
        description: `${entry.direction === 'battery' ? 'Elle' : 'Il'} prend part à «\u00a0${operationName}\u00a0».`,
        variant: 'success',
      })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <EntryPlaceFields form={form} />
      <PointFieldset form={form} name={(field) => `point.${field}`} direction={form.watch('direction')} />
      <ParticipationDateFields form={form} />
      <div className="flex flex-wrap justify-end gap-2">
        {later}
        <Button type="submit" loading={form.formState.isSubmitting}>
          {form.watch('direction') === 'battery' ? 'Ajouter la batterie' : 'Ajouter le point'}
        </Button>
      </div>
    </form>
  )
}
