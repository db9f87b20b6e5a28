import Plus from 'lucide-react/icons/plus'
import { useFieldArray, useFormState, useWatch } from 'react-hook-form'
import { Button } from '../../../../../components/button.tsx'
import { Field } from '../../../../../components/field.tsx'
import { Select } from '../../../../../components/input.tsx'
import { formatPrm } from '../../../../../lib/energy-labels.ts'
import { createPlantRow, type PlantRow } from '../draft.ts'
import { KIND_OPTIONS, RowCard, SEGMENT_OPTIONS, useOpenRows } from '../participant-rows.tsx'
import { PerimeterCheck } from '../perimeter-check.tsx'
import type { DraftForm } from '../use-draft.ts'

const ORIENTATION_OPTIONS = [
  { value: '', label: 'Inconnue' },
  { value: '90', label: 'Est' },
  { value: '135', label: 'Sud-est' },
  { value: '180', label: 'Sud' },
  { value: '225', label: 'Sud-ouest' },
  { value: '270', label: 'Ouest' },
  { value: '315', label: 'Nord-ouest' },
  { value: '0', label: 'Nord' },
  { value: '45', label: 'Nord-est' },
]
/** A file may say 172°: it stays one of the choices. */
const getOrientationOptions = (azimuth: string) =>
  ORIENTATION_OPTIONS.some(({ value }) => value === azimuth)
    ? ORIENTATION_OPTIONS
    : [...ORIENTATION_OPTIONS, { value: azimuth, label: `${azimuth}°` }]

const describeRow = (row: PlantRow | undefined, at: number) =>
  [
    row?.name || `Producteur ${at + 1}`,
    row?.prm && formatPrm(row.prm.replace(/\D/g, '')),
    row?.kwc && `${row.kwc}\u00a0kWc`,
  ]
    .filter(Boolean)
    .join(' · ')

function PlantFields({ form, at, azimuth }: { form: DraftForm; at: number; azimuth: string }) {
  return (
    <>
      <Field form={form} name={`producers.${at}.name`} label="Nom" placeholder="Commune de Bellerive" />
      <Field form={form} name={`producers.${at}.kind`} label="Type">
        {(control) => <Select {...control} options={KIND_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name={`producers.${at}.prm`}
        label="PRM de production"
        placeholder="19 125 759 625 988"
        inputMode="numeric"
        autoComplete="off"
      />
      <Field
        form={form}
        name={`producers.${at}.kwc`}
        label="Puissance crête, en kWc"
        inputMode="decimal"
        autoComplete="off"
      />
      <Field form={form} name={`producers.${at}.azimuth`} label="Orientation">
        {(control) => <Select {...control} options={getOrientationOptions(azimuth)} />}
      </Field>
      <Field
        form={form}
        name={`producers.${at}.tilt`}
        label="Inclinaison, en degrés"
        inputMode="numeric"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name={`producers.${at}.position`}
        label="Coordonnées"
        placeholder="45,7601 ; 4,8512"
        autoComplete="off"
        optional
      />
      <Field form={form} name={`producers.${at}.segment`} label="Segment">
        {(control) => <Select {...control} options={SEGMENT_OPTIONS.production} />}
      </Field>
    </>
  )
}

export function ProducersStep({ form }: { form: DraftForm }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'producers' })
  const rows = useWatch({ control: form.control, name: 'producers' })
  const { errors } = useFormState({ control: form.control })
  const { open: closed, toggle } = useOpenRows()
  return (
    <>
      <p className="prose-width text-body text-ink-soft">
        Une ligne par installation. Vous pourrez en ajouter après la création.
      </p>
      <div className="grid gap-3 [&>*]:min-w-0">
        {fields.map((field, at) => {
          const open = !closed.has(field.id) || errors.producers?.[at] !== undefined
          return (
            <RowCard
              key={field.id}
              title={`Producteur ${at + 1}`}
              line={describeRow(rows[at], at)}
              open={open}
              onToggle={() => toggle(field.id, closed.has(field.id))}
              onRemove={() => remove(at)}
            >
              <PlantFields form={form} at={at} azimuth={rows[at]?.azimuth ?? ''} />
            </RowCard>
          )
        })}
      </div>
      <Button
        variant="secondary"
        icon={<Plus aria-hidden="true" />}
        className="justify-self-start"
        onClick={() => append(createPlantRow())}
      >
        Ajouter un producteur
      </Button>
      <PerimeterCheck form={form} />
    </>
  )
}
