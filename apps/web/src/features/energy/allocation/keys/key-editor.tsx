import { AllocationMethod, Day } from '@voisol/contract/primitives'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { cx } from '../../../../components/cx.ts'
import { DateInput } from '../../../../components/date-input.tsx'
import { FieldFrame, Input, Select } from '../../../../components/input.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../../lib/energy-labels.ts'
import { explainError } from '../../../../lib/error-text.ts'
import { formatCount } from '../../../../lib/format.ts'
import type { MembersByDirection } from '../use-members.ts'
import { type KeyForm, needsShares, parseKeyForm, type Share, takesFiles } from './key-form.ts'
import { GridFields, type KeyFormState, RankFields, ShareFields, useKeyForm } from './key-share-fields.tsx'

const DECIMAL_OPTIONS = ['0', '1', '2', '3', '4'].map((value) => ({ value, label: value }))

function VersionFields({ state: { form, set } }: { state: KeyFormState }) {
  const id = useId()
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FieldFrame id={`${id}-day`} label="Applicable à partir du" hint="La version précédente s’arrête la veille.">
        <DateInput id={`${id}-day`} value={form.startsOn} onValue={(startsOn) => set({ startsOn })} />
      </FieldFrame>
      <FieldFrame id={`${id}-label`} label="Motif" optional hint="Par exemple «&nbsp;assemblée du 12 mars&nbsp;».">
        <Input
          id={`${id}-label`}
          value={form.label}
          maxLength={200}
          onChange={(event) => set({ label: event.target.value })}
        />
      </FieldFrame>
      {takesFiles(form.method) && (
        <FieldFrame
          id={`${id}-decimals`}
          label="Décimales des coefficients"
          hint="Dans les fichiers transmis au gestionnaire de réseau."
        >
          <Select
            id={`${id}-decimals`}
            options={DECIMAL_OPTIONS}
            value={String(form.decimals)}
            onChange={(event) => set({ decimals: Number(event.target.value) })}
          />
        </FieldFrame>
      )}
    </div>
  )
}

type MethodFieldsProps = { operationId: string; members: MembersByDirection; state: KeyFormState }

function MethodFields({ operationId, members, state }: MethodFieldsProps) {
  const { method } = state.form
  const isEmpty = members.consumers.length === 0
  if (isEmpty && (needsShares(method) || method === 'priority' || method === 'complete'))
    return <p className="text-body text-ink-soft">Ajoutez d’abord des consommateurs à l’opération.</p>
  if (needsShares(method)) return <ShareFields operationId={operationId} consumers={members.consumers} state={state} />
  if (method === 'priority') return <RankFields consumers={members.consumers} state={state} />
  if (method === 'complete') return <GridFields members={members} state={state} />
  return null
}

export type KeyVersionDraft = Pick<KeyForm, 'method' | 'label' | 'startsOn' | 'decimals'> & { shares: Share[] }

type KeyEditorProps = {
  operationId: string
  members: MembersByDirection
  start: KeyForm
  locked?: boolean
  /** The button: « Enregistrer le brouillon ». */
  action: string
  onSave: (draft: KeyVersionDraft) => Promise<unknown>
  /** Beside the button, knowing whether something is not saved yet. */
  more?: (changed: boolean) => ReactNode
}

/** A version being written: its day, its method, and what the method needs. */
export function KeyEditor({ operationId, members, start, locked = false, action, onSave, more }: KeyEditorProps) {
  const state = useKeyForm(start)
  const [problem, setProblem] = useState('')
  const [saving, setSaving] = useState(false)
  const save = async () => {
    const { cells: _, ...fields } = state.form
    const { shares, wrong } = parseKeyForm(state.form, members)
    if (!Day.safeParse(fields.startsOn).success)
      return setProblem('Indiquez le jour à partir duquel la clé s’applique.')
    if (wrong.length > 0) return setProblem(`${formatCount(wrong.length, 'case')} à corriger avant d’enregistrer.`)
    setSaving(true)
    setProblem('')
    await onSave({ ...fields, shares }).catch((error: unknown) => setProblem(explainError(error)))
    setSaving(false)
  }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <fieldset disabled={locked} className="grid min-w-0 gap-6 [&>*]:min-w-0">
        <legend className="sr-only">Contenu de la version</legend>
        <VersionFields state={state} />
        <MethodCards locked={locked} value={state.form.method} onChange={(method) => state.set({ method })} />
        <MethodFields operationId={operationId} members={members} state={state} />
      </fieldset>
      {problem && (
        <p role="alert" className="text-body text-danger">
          {problem}
        </p>
      )}
      {!locked && (
        <div className="flex flex-wrap items-center gap-2">
          <Button loading={saving} disabled={!state.changed && action !== SAVE_DRAFT_LABEL} onClick={save}>
            {action}
          </Button>
          {more?.(state.changed)}
        </div>
      )}
    </div>
  )
}

export const SAVE_DRAFT_LABEL = 'Enregistrer le brouillon'

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
function MethodCards({ value, locked, onChange }: MethodCardsProps) {
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
