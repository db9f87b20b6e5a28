import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useRef, useState } from 'react'
import type { FieldErrors, FieldValues, UseFormReturn } from 'react-hook-form'
import { formatCount } from '../lib/format.ts'

type FieldProblem = { name: string; message: string }

/** Every message of a form, nested ones included, in the order of the fields. */
export function listErrors(errors: FieldErrors, prefix = ''): FieldProblem[] {
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
