import { type ComponentProps, type ReactNode, useId } from 'react'
import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import { DateField } from './date-field.tsx'
import { FieldFrame } from './field-frame.tsx'
import { Input } from './input.tsx'

export type ControlProps = UseFormRegisterReturn &
  Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

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
