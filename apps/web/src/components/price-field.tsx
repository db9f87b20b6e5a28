import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form'
import { getPriceWarning } from '../lib/price.ts'
import { Field } from './field.tsx'

type PriceFieldProps<V extends FieldValues, C, O> = {
  form: Pick<UseFormReturn<V, C, O>, 'register' | 'formState' | 'control'>
  name: FieldPath<V>
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
}

/** A price of energy, in c€/kWh; an unusual one is asked about and can be kept. */
export function PriceField<V extends FieldValues, C, O>(props: PriceFieldProps<V, C, O>) {
  const typed: unknown = useWatch({ control: props.form.control, name: props.name })
  const doubt = typeof typed === 'string' ? getPriceWarning(typed) : null
  return (
    <div className="grid content-start gap-1.5">
      <Field {...props} inputMode="decimal" autoComplete="off" />
      <p role="status" className="text-[0.8125rem] text-warning empty:hidden">
        {doubt && (
          <span className="flex items-start gap-1.5">
            <TriangleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
            {doubt}
          </span>
        )}
      </p>
    </div>
  )
}
