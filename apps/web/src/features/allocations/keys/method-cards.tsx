import { AllocationMethod } from '@voisol/contract/primitives'
import { useId } from 'react'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import { cx } from '../../../ui/cx.ts'

const METHOD_ORDER: AllocationMethod[] = [
  'default',
  'equal',
  'static',
  'redistributed',
  'priority',
  'simple',
  'complete',
]

const cardClass = cx(
  'flex cursor-pointer items-start gap-3 rounded-card border border-line-strong bg-card p-4 text-body transition-colors duration-150',
  'hover:border-control has-checked:border-primary-ink has-checked:bg-primary-soft has-disabled:cursor-not-allowed',
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--ring)',
)
const radioClass =
  'mt-0.5 size-[1.125rem] shrink-0 appearance-none rounded-full border border-control bg-card checked:border-[0.35rem] checked:border-primary-solid focus-visible:outline-none'

type MethodCardsProps = { value: AllocationMethod; locked: boolean; onChange: (method: AllocationMethod) => void }

/** The methods with what each means for the neighbours; of a locked version only its own. */
export function MethodCards({ value, locked, onChange }: MethodCardsProps) {
  const id = useId()
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
      <legend className="mb-2 text-body font-medium">Méthode de répartition</legend>
      {METHOD_ORDER.filter((method) => !locked || method === value).map((method) => (
        <label key={method} className={cardClass}>
          <input
            type="radio"
            name={id}
            value={method}
            checked={value === method}
            onChange={(event) => onChange(AllocationMethod.parse(event.target.value))}
            aria-labelledby={`${id}-${method}-name`}
            aria-describedby={`${id}-${method}`}
            className={radioClass}
          />
          <span>
            <span id={`${id}-${method}-name`} className="font-medium">
              {ALLOCATION_METHOD_LABELS[method].label}
            </span>
            <span id={`${id}-${method}`} className="mt-0.5 block text-[0.8125rem] text-ink-soft">
              {ALLOCATION_METHOD_LABELS[method].meaning}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
