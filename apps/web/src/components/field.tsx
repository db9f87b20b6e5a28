import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ComponentProps, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import {
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { formatCount } from '../lib/format.ts'
import { DateInput, type DateInputProps } from './date-input.tsx'
import { FieldFrame, Input } from './input.tsx'

type ControlProps = UseFormRegisterReturn & Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

type FieldProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'register' | 'formState'>
  name: FieldPath<V>
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  /** Another control than a line of text: `{(control) => <Select {...control} />}`. */
  children?: (control: ControlProps) => ReactNode
} & InputAttributes

type InputAttributes = Pick<
  ComponentProps<'input'>,
  'type' | 'autoComplete' | 'inputMode' | 'placeholder' | 'autoFocus' | 'readOnly'
>

/** Dates have a control of their own: that of a browser writes them in the browser's language. */
function FieldControl({ input, control }: { input: InputAttributes; control: ControlProps }) {
  const { type, autoFocus, readOnly } = input
  if (type === 'date') return <DateField control={control} autoFocus={autoFocus} readOnly={readOnly} />
  if (type === 'datetime-local') return <DateField control={control} of="moment" autoFocus={autoFocus} />
  return <Input {...input} {...control} />
}

/** A field of a form over a contract schema, with the error of its last check. */
export function Field<V extends FieldValues, C, O>(props: FieldProps<V, C, O>) {
  const { form, name, label, hint, optional, children, ...input } = props
  const id = useId()
  const error: FieldError | undefined = get(form.formState.errors, name)
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const control = {
    ...form.register(name),
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': describedBy || undefined,
  }
  return (
    <FieldFrame id={id} label={label} optional={optional} hint={hint} error={error?.message}>
      {children ? children(control) : <FieldControl input={input} control={control} />}
    </FieldFrame>
  )
}

type DateFieldProps = { control: ControlProps } & Pick<DateInputProps, 'of' | 'autoFocus' | 'readOnly'>

/** A date of a form: the form holds the day itself and never sees how it is written. */
export function DateField({
  control: { ref, onChange, onBlur, name, min: _, max: _most, ...rest },
  ...more
}: DateFieldProps) {
  const [value, setValue] = useState('')
  const valueRef = useRef('')
  const latest = useRef(ref)
  latest.current = ref
  const attach = useCallback(
    (element: HTMLInputElement | null) => {
      if (!element) return latest.current(null)
      latest.current({
        name,
        type: 'text',
        focus: () => element.focus(),
        get value() {
          return valueRef.current
        },
        set value(next: string) {
          valueRef.current = next ?? ''
          setValue(valueRef.current)
        },
      })
    },
    [name],
  )
  return (
    <DateInput
      {...rest}
      {...more}
      ref={attach}
      name={name}
      value={value}
      onValue={(next) => {
        valueRef.current = next
        setValue(next)
        void onChange({ target: { name, value: next }, type: 'change' })
      }}
      // A field that is left tells its value too: without it the form would take it for empty.
      onBlur={() => void onBlur({ target: { name, value: valueRef.current }, type: 'blur' })}
    />
  )
}

type FieldProblem = { name: string; message: string }

/** Every message of a form, nested ones included, in the order of the fields. */
function listErrors(errors: FieldErrors, prefix = ''): FieldProblem[] {
  return Object.entries(errors).flatMap(([key, error]) => {
    if (!error || typeof error !== 'object' || key === 'ref') return []
    const name = prefix + key
    if (typeof error.message === 'string') return [{ name, message: error.message }]
    return listErrors(error as FieldErrors, `${name}.`) // without a message it is a group of fields
  })
}

const findField = (summary: HTMLElement | null, name: string) =>
  summary?.closest('form')?.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`)
const getFieldLabel = (summary: HTMLElement | null, name: string) =>
  findField(summary, name)?.labels?.[0]?.querySelector('[data-label]')?.textContent ?? ''

/** The summary on top of a form: each line leads to its field. */
export function FormErrors<V extends FieldValues, C, O>({ form }: { form: Pick<UseFormReturn<V, C, O>, 'formState'> }) {
  const summary = useRef<HTMLDivElement>(null)
  const [labels, setLabels] = useState<Record<string, string>>({})
  const problems = listErrors(form.formState.errors)
  const names = problems.map((problem) => problem.name).join()
  useEffect(() => {
    setLabels(Object.fromEntries(names.split(',').map((name) => [name, getFieldLabel(summary.current, name)])))
  }, [names])
  if (problems.length === 0) return null
  const only = problems.length === 1 && problems[0]?.name === 'root' ? problems[0].message : ''
  return (
    <div ref={summary} role="alert" className="rounded-card border border-danger/30 bg-danger-soft p-4 text-body">
      <p className="flex items-start gap-2 font-medium text-danger">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {only || `${formatCount(problems.length, 'point')} à corriger`}
      </p>
      {!only && (
        <ul className="mt-2 grid gap-1 pl-6">
          {problems.map(({ name, message }) => (
            <li key={name}>
              {labels[name] ? (
                <button
                  type="button"
                  className="min-h-6 text-left text-link"
                  onClick={() => findField(summary.current, name)?.focus()}
                >
                  {labels[name]} : {message}
                </button>
              ) : (
                message
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
