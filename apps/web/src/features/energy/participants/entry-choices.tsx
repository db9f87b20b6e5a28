import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import { type Point, SEGMENTS_BY_DIRECTION } from '@voisol/contract/points'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { useCan } from '../../../lib/can.tsx'
import { query } from '../../../lib/queries.ts'

type PointFieldName =
  | 'label'
  | 'segment'
  | 'subscribedVa'
  | 'peakWatts'
  | 'azimuth'
  | 'tilt'
  | 'commissionedOn'
  | 'pointAddress'
  | 'latitude'
type PointFieldsProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'register' | 'formState'>
  /** The form's own name of each field. */
  name: (field: PointFieldName) => FieldPath<V>
  direction: Point['direction'] | 'battery'
}
const twoColumnsClass = 'grid gap-4 sm:grid-cols-2'

const PlantFields = <V extends FieldValues, C, O>({ form, name }: PointFieldsProps<V, C, O>) => (
  <div className={twoColumnsClass}>
    <Field form={form} name={name('peakWatts')} label="Puissance crête, en kWc" inputMode="decimal" optional />
    <Field form={form} name={name('commissionedOn')} label="Mise en service" type="date" optional />
    <Field
      form={form}
      name={name('azimuth')}
      label="Orientation, en degrés"
      hint="0 au nord, 180 au sud."
      inputMode="numeric"
      optional
    />
    <Field
      form={form}
      name={name('tilt')}
      label="Inclinaison, en degrés"
      hint="0 à plat, 90 à la verticale."
      inputMode="numeric"
      optional
    />
  </div>
)

const LocationFields = <V extends FieldValues, C, O>({ form, name }: PointFieldsProps<V, C, O>) => (
  <div className={twoColumnsClass}>
    <Field form={form} name={name('pointAddress')} label="Adresse du point" optional />
    <Field form={form} name={name('latitude')} label="Coordonnées" placeholder="45,7601 ; 4,8512" optional />
  </div>
)

const BatteryFields = <V extends FieldValues, C, O>({ form, name }: PointFieldsProps<V, C, O>) => (
  <div className={twoColumnsClass}>
    <Field
      form={form}
      name={name('label')}
      label="Nom de la batterie"
      placeholder="Batterie du local technique"
      optional
    />
    <Field form={form} name={name('subscribedVa')} label="Puissance, en kVA" inputMode="decimal" optional />
  </div>
)

/** What is known of a point of delivery; a plant has its panels, a consumer a subscribed power. */
export function PointFieldset<V extends FieldValues, C, O>(props: PointFieldsProps<V, C, O>) {
  const { form, name, direction } = props
  if (direction === 'battery')
    return (
      <>
        <BatteryFields {...props} />
        <LocationFields {...props} />
      </>
    )
  return (
    <>
      <div className={twoColumnsClass}>
        <Field form={form} name={name('segment')} label="Segment">
          {(control) => (
            <Select {...control} options={SEGMENTS_BY_DIRECTION[direction].map((value) => ({ value, label: value }))} />
          )}
        </Field>
        {direction === 'consumption' ? (
          <Field
            form={form}
            name={name('subscribedVa')}
            label="Puissance souscrite, en kVA"
            inputMode="decimal"
            optional
          />
        ) : (
          <Field
            form={form}
            name={name('label')}
            label="Nom de l’installation"
            placeholder="Toit de l’école"
            optional
          />
        )}
      </div>
      {direction === 'production' && <PlantFields {...props} />}
      <LocationFields {...props} />
    </>
  )
}

/** Where somebody can come in: every operation that is not over. */
export function useOperationChoices() {
  const enabled = useCan()(operations.list)
  const { data } = useQuery({ ...query(operations.list, { query: { size: 100, sort: 'name' } }), enabled })
  const openOperations = data?.items.filter(({ status }) => status !== 'closed') ?? []
  return {
    known: data !== undefined,
    options: openOperations.map(({ id, name }) => ({ value: id, label: name })),
    open: openOperations,
  }
}
