import CircleAlert from 'lucide-react/icons/circle-alert'
import { type ComponentProps, type ReactNode, useId } from 'react'
import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { Input } from './input.tsx'

export type ControlProps = UseFormRegisterReturn &
  Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

type FieldFrameProps = {
  id: string
  label: ReactNode
  optional?: boolean
  hint?: ReactNode
  error?: string
  children: ReactNode
}

/** Label above, hint, control, error beside it; for controls outside a form too. */
export const FieldFrame = ({ id, label, optional, hint, error, children }: FieldFrameProps) => (
  <div className="grid content-start gap-1.5">
    <label htmlFor={id} className="text-body font-medium">
      <span data-label="">{label}</span>
      {optional && <span className="font-normal text-ink-soft"> (optionnel)</span>}
    </label>
    {hint && (
      <p id={`${id}-hint`} className="-mt-1 text-[0.8125rem] text-ink-soft">
        {hint}
      </p>
    )}
    {children}
    {error && (
      <p id={`${id}-error`} className="flex items-start gap-1.5 text-[0.8125rem] text-danger">
        <CircleAlert aria-hidden="true" className="mt-px size-4" />
        {error}
      </p>
    )}
  </div>
)

type FieldProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'register' | 'formState'>
  name: FieldPath<V>
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  /** Another control than a line of text: `{(control) => <Select {...control} />}`. */
  children?: (control: ControlProps) => ReactNode
} & Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'inputMode' | 'placeholder' | 'autoFocus' | 'readOnly'>

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
      {children ? children(control) : <Input {...input} {...control} />}
    </FieldFrame>
  )
}
