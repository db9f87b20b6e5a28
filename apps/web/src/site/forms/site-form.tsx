import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import type { FieldSpec, FieldValues } from './check.ts'
import { useSiteForm } from './use-site-form.ts'

type ControlProps = {
  field: FieldSpec
  value: string | boolean | undefined
  fault: string | undefined
  onValue: (value: string | boolean) => void
}

function SiteFormControl({ field, value, fault, onValue }: ControlProps) {
  const id = useId()
  const common = {
    id,
    name: field.name,
    autoComplete: field.autoComplete,
    required: !field.optional,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': cx(field.hint && `${id}-hint`, fault && `${id}-error`) || undefined,
  }
  if (field.type === 'checkbox')
    return (
      <label className="flex items-start gap-3 sm:col-span-2">
        <input
          type="checkbox"
          name={field.name}
          checked={value === true}
          onChange={(event) => onValue(event.target.checked)}
          className="mt-1 size-5 shrink-0 accent-primary-solid"
        />
        <span className="text-[0.9375rem] text-ink-soft">{field.label}</span>
      </label>
    )
  const text = { ...common, value: String(value ?? ''), onChange: (event: InputEvent) => onValue(event.target.value) }
  return (
    <div className={field.type === 'textarea' ? 'sm:col-span-2' : undefined}>
      <FieldFrame id={id} label={field.label} hint={field.hint} optional={field.optional} error={fault}>
        {field.type === 'textarea' ? (
          <Textarea {...text} rows={6} />
        ) : field.type === 'select' ? (
          <Select {...text} options={field.options} />
        ) : (
          <Input {...text} type={field.type ?? 'text'} />
        )}
      </FieldFrame>
    </div>
  )
}
type InputEvent = { target: { value: string } }

/** Nobody sees it; what fills it is not a person. */
const HoneypotField = ({ value, onValue }: { value: string; onValue: (value: string) => void }) => (
  <div aria-hidden="true" className="absolute -left-[9999px] h-px w-px overflow-hidden">
    <label>
      Ne pas remplir
      <input
        name="website"
        tabIndex={-1}
        autoComplete="off"
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
    </label>
  </div>
)

function FormConfirmation({ children }: { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <div
      ref={panel}
      role="status"
      tabIndex={-1}
      className="flex items-start gap-3 rounded-card border border-success/25 bg-success-soft p-5 outline-none"
    >
      <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
      <div>{children}</div>
    </div>
  )
}

type SiteFormProps = {
  path: string
  fields: readonly FieldSpec[]
  /** The consequence: « Envoyer ma demande ». */
  action: string
  preset?: FieldValues
  note?: ReactNode
  /** Drawn under the server's own answer. */
  after?: (answer: Record<string, unknown>) => ReactNode
}

/** A form of the site: one column on a phone, two beside one another where there is room. */
export function SiteForm({ path, fields, action, preset, note, after }: SiteFormProps) {
  const { element, values, faults, refusal, busy, answer, set, submit } = useSiteForm(path, fields, preset)
  if (answer)
    return (
      <FormConfirmation>
        <p className="font-medium">{String(answer.message ?? 'C’est envoyé.')}</p>
        {after?.(answer)}
      </FormConfirmation>
    )
  return (
    <form ref={element} noValidate onSubmit={submit} className="relative grid gap-x-4 gap-y-5 sm:grid-cols-2">
      {refusal && (
        <p role="alert" className="rounded-card border border-danger/30 bg-danger-soft p-4 text-danger sm:col-span-2">
          {refusal}
        </p>
      )}
      {fields.map((field) => (
        <SiteFormControl
          key={field.name}
          field={field}
          value={values[field.name]}
          fault={faults[field.name]}
          onValue={(value) => set(field.name, value)}
        />
      ))}
      <HoneypotField value={String(values.website ?? '')} onValue={(value) => set('website', value)} />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3 sm:col-span-2">
        <Button type="submit" size="large" loading={busy}>
          {action}
        </Button>
        {note && <p className="min-w-0 flex-1 basis-60 text-[0.875rem] text-ink-soft">{note}</p>}
      </div>
    </form>
  )
}
