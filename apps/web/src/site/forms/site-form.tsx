import CircleCheck from 'lucide-react/icons/circle-check'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { FieldFrame, Input, Select, Textarea } from '../../components/input.tsx'
import { randomId } from '../../lib/random-id.ts'
import { type FieldSpec, type FieldValues, getFieldError, getFieldErrors } from './field-checks.ts'
import { postForm } from './post-form.ts'

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

/** An empty value for each field; the trap is one that people do not see. */
const buildEmptyValues = (fields: readonly FieldSpec[]): FieldValues => ({
  website: '',
  ...Object.fromEntries(fields.map((field) => [field.name, field.type === 'checkbox' ? false : ''])),
})

/** What is typed stays until it has been received; a second click sends nothing twice. */
function useSiteForm(path: string, fields: readonly FieldSpec[], preset: FieldValues = {}) {
  const [values, setValues] = useState<FieldValues>(() => ({ ...buildEmptyValues(fields), ...preset }))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Record<string, unknown> | null>(null)
  const key = useRef('')
  const element = useRef<HTMLFormElement>(null)
  // What was typed before the page's program ran is in the fields, and nowhere else.
  useEffect(() => {
    const typedBefore = element.current ? readTypedValues(fields, element.current) : {}
    if (Object.keys(typedBefore).length) setValues((old) => ({ ...old, ...typedBefore }))
  }, [fields])
  const set = (name: string, value: string | boolean) => {
    setValues((old) => ({ ...old, [name]: value }))
    const field = fields.find((one) => one.name === name)
    if (faults[name] && field) setFaults(({ [name]: _, ...rest }) => setError(rest, name, getFieldError(field, value)))
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // The fields themselves are what the reader sees.
    const sent = { ...values, ...readTypedValues(fields, form) }
    const errors = getFieldErrors(fields, sent)
    setFaults(errors)
    setRefusal('')
    const first = fields.find((field) => errors[field.name])
    if (first) return void form.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus()
    if (busy) return
    setBusy(true)
    key.current ||= randomId()
    const reply = await postForm(path, sent, key.current)
    setBusy(false)
    if (reply.ok) return setAnswer(reply.data)
    // The answer may have been lost on the way; after a refusal the next try is another one.
    if (reply.issues.length) key.current = ''
    setFaults(Object.fromEntries(reply.issues.map((issue) => [issue.path, issue.message])))
    setRefusal(reply.message)
  }
  return { element, values, faults, refusal, busy, answer, set, submit }
}

const setError = (rest: Record<string, string>, name: string, fault: string | undefined) =>
  fault ? { ...rest, [name]: fault } : rest

/** A ticked box says « on »; the rest is text. */
const readTypedValues = (fields: readonly FieldSpec[], form: HTMLFormElement): FieldValues =>
  Object.fromEntries(
    [...new FormData(form)].flatMap(([name, value]) => {
      const field = fields.find((one) => one.name === name)
      return field && value !== '' ? [[name, field.type === 'checkbox' || String(value)]] : []
    }),
  )

/** One field, for those who want to hear of what is new. */
export const NewsletterForm = () => (
  <section aria-labelledby="newsletter" className="rounded-card border border-line bg-page p-6 sm:p-8">
    <h2 id="newsletter" className="text-xl font-semibold">
      La lettre de l’énergie partagée
    </h2>
    <p className="mt-2 mb-5 max-w-xl text-ink-soft">
      Les règles qui changent, les chiffres qui comptent, ce qui marche ailleurs. Une fois par mois, et l’on se
      désabonne d’un clic.
    </p>
    <SiteForm
      path="/api/newsletter"
      fields={[{ name: 'email', label: 'Adresse e-mail', type: 'email', autoComplete: 'email', maxLength: 254 }]}
      action="Recevoir la lettre"
      note="Un message de confirmation vous sera envoyé."
    />
  </section>
)
