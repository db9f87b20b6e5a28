import Plus from 'lucide-react/icons/plus'
import { type FieldErrors, useFieldArray, useFormState, useWatch } from 'react-hook-form'
import { formatPrm } from '../../../../lib/energy-labels.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { Pagination } from '../../../../ui/pagination.tsx'
import { Select } from '../../../../ui/select.tsx'
import { type ConsumerRow, createConsumerRow, isBatteryRow, isBlankRow, type OperationWizardDraft } from '../draft.ts'
import { describeConsumers } from '../facts.ts'
import { ParticipantImportPanel } from '../import-panel.tsx'
import { RowCard, useOpenRows, usePagedRows } from '../rows.tsx'
import type { DraftForm } from '../use-draft.ts'
import { KIND_OPTIONS, METER_OPTIONS, SEGMENT_OPTIONS } from './kinds.ts'

const describeRow = (row: ConsumerRow | undefined, at: number) =>
  [
    row?.name || `Consommateur ${at + 1}`,
    row?.prm && formatPrm(row.prm.replace(/\D/g, '')),
    row?.kva && `${row.kva}\u00a0kVA`,
    row && isBatteryRow(row) && 'batterie',
  ]
    .filter(Boolean)
    .join(' · ')

const findFirstWrong = (errors: FieldErrors<OperationWizardDraft>['consumers']) => {
  const at = Array.isArray(errors) ? errors.findIndex(Boolean) : -1
  return at < 0 ? null : at
}

function ConsumerFields({ form, at }: { form: DraftForm; at: number }) {
  return (
    <>
      <Field form={form} name={`consumers.${at}.name`} label="Nom" placeholder="Camille Durand" />
      <Field form={form} name={`consumers.${at}.kind`} label="Type">
        {(control) => <Select {...control} options={KIND_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name={`consumers.${at}.prm`}
        label="PRM de consommation"
        placeholder="19 125 759 625 988"
        inputMode="numeric"
        autoComplete="off"
      />
      <Field form={form} name={`consumers.${at}.meter`} label="Compteur">
        {(control) => <Select {...control} options={METER_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name={`consumers.${at}.email`}
        label="Adresse e-mail"
        type="email"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name={`consumers.${at}.kva`}
        label="Puissance souscrite, en kVA"
        inputMode="decimal"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name={`consumers.${at}.position`}
        label="Coordonnées"
        placeholder="45,7601 ; 4,8512"
        autoComplete="off"
        optional
      />
      <Field form={form} name={`consumers.${at}.segment`} label="Segment">
        {(control) => <Select {...control} options={SEGMENT_OPTIONS.consumption} />}
      </Field>
    </>
  )
}

function ConsumerRows({ form }: { form: DraftForm }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'consumers' })
  const rows = useWatch({ control: form.control, name: 'consumers' })
  const { errors } = useFormState({ control: form.control })
  const { page, size, from, to, setPage } = usePagedRows(fields.length, findFirstWrong(errors.consumers))
  const { open, toggle } = useOpenRows()
  // What was typed when the row was made: a row in the making stays open, one from a file starts closed.
  const isOpen = (id: string, at: number) =>
    open.has(id) !== isBlankRow(fields[at] ?? createConsumerRow()) || errors.consumers?.[at] !== undefined
  return (
    <section aria-label="Consommateurs saisis" className="grid gap-3 [&>*]:min-w-0">
      <p role="status" className="text-body font-medium">
        {describeConsumers(rows)}
      </p>
      {fields.slice(from, to).map((field, index) => (
        <RowCard
          key={field.id}
          title={`Consommateur ${from + index + 1}`}
          line={describeRow(rows[from + index], from + index)}
          open={isOpen(field.id, from + index)}
          onToggle={() => toggle(field.id, open.has(field.id))}
          onRemove={() => remove(from + index)}
        >
          <ConsumerFields form={form} at={from + index} />
        </RowCard>
      ))}
      {fields.length > size && (
        <Pagination label="Consommateurs" page={page} size={size} total={fields.length} onPage={setPage} />
      )}
      <Button
        variant="secondary"
        icon={<Plus aria-hidden="true" />}
        className="justify-self-start"
        onClick={() => {
          append(createConsumerRow())
          setPage(Math.floor(fields.length / size) + 1)
        }}
      >
        Ajouter un consommateur
      </Button>
    </section>
  )
}

export const ConsumersStep = ({ form }: { form: DraftForm }) => (
  <>
    <ParticipantImportPanel form={form} />
    <ConsumerRows form={form} />
  </>
)
