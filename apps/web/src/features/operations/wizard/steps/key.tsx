import type { AllocationMethod } from '@voisol/contract/primitives'
import { useId } from 'react'
import { useWatch } from 'react-hook-form'
import { ALLOCATION_METHOD_LABELS } from '../../../../lib/energy-labels.ts'
import { cx } from '../../../../ui/cx.ts'
import { ShareEditor } from '../share-editor.tsx'
import type { DraftForm } from '../use-draft.ts'

/** « Complète » takes a table of producers by consumers, which has a screen of its own. */
const OFFERED_METHODS: AllocationMethod[] = ['default', 'equal', 'static', 'redistributed', 'priority', 'simple']

const methodCardClass = cx(
  'flex cursor-pointer items-start gap-3 rounded-card border border-line-strong bg-card p-4 text-body transition-colors duration-150',
  'hover:border-control has-checked:border-primary-ink has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--ring)',
)
const radioClass =
  'mt-0.5 size-[1.125rem] shrink-0 appearance-none rounded-full border border-control bg-card checked:border-[0.35rem] checked:border-primary-solid focus-visible:outline-none'

function MethodCards({ form, method }: { form: DraftForm; method: AllocationMethod }) {
  const id = useId()
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-3 text-body font-medium">Méthode de répartition</legend>
      {OFFERED_METHODS.map((value) => (
        <label key={value} className={methodCardClass}>
          <input
            {...form.register('method')}
            type="radio"
            value={value}
            checked={method === value}
            aria-labelledby={`${id}-${value}-name`}
            aria-describedby={`${id}-${value}`}
            className={radioClass}
          />
          <span>
            <span id={`${id}-${value}-name`} className="font-medium">
              {ALLOCATION_METHOD_LABELS[value].label}
            </span>
            <span id={`${id}-${value}`} className="mt-0.5 block text-[0.8125rem] text-ink-soft">
              {ALLOCATION_METHOD_LABELS[value].meaning}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const METHOD_NOTES: Partial<Record<AllocationMethod, string>> = {
  simple:
    'Les fichiers de coefficients s’importent après la création, dans l’écran de répartition. Tant qu’il n’y en a pas, la règle par défaut s’applique.',
}

export function KeyStep({ form }: { form: DraftForm }) {
  const method = useWatch({ control: form.control, name: 'method' })
  return (
    <>
      <MethodCards form={form} method={method} />
      <p className="text-[0.8125rem] text-ink-soft">
        La méthode «&nbsp;{ALLOCATION_METHOD_LABELS.complete.label}&nbsp;» se prépare après la création, dans l’écran de
        répartition. Une clé peut être remplacée à tout moment pour l’avenir.
      </p>
      {METHOD_NOTES[method] && <p className="text-body">{METHOD_NOTES[method]}</p>}
      {(method === 'static' || method === 'redistributed') && <ShareEditor form={form} field="share" />}
      {method === 'priority' && <ShareEditor form={form} field="rank" />}
    </>
  )
}
