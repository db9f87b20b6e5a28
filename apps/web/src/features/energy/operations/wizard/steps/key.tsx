import type { AllocationMethod } from '@voisol/contract/primitives'
import Equal from 'lucide-react/icons/equal'
import { useId } from 'react'
import { type FieldError, get, useFormState, useWatch } from 'react-hook-form'
import { Button } from '../../../../../components/button.tsx'
import { cx } from '../../../../../components/cx.ts'
import { Input } from '../../../../../components/input.tsx'
import { Pagination } from '../../../../../components/pagination.tsx'
import { ALLOCATION_METHOD_LABELS, formatPrm } from '../../../../../lib/energy-labels.ts'
import {
  type ConsumerRow,
  computeEqualShares,
  formatSharePercent,
  isBlankRow,
  sumShares,
  WHOLE_SHARE,
} from '../draft.ts'
import { usePagedRows } from '../participant-rows.tsx'
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

type NamedConsumer = { row: ConsumerRow; at: number }

/** How far the shares are from one whole, in words and as a bar. */
function SumCheck({ consumers }: { consumers: ConsumerRow[] }) {
  const sum = sumShares(consumers)
  const sumText =
    sum === WHOLE_SHARE
      ? 'toute la production est répartie'
      : sum < WHOLE_SHARE
        ? `${formatSharePercent(WHOLE_SHARE - sum)} restent en surplus`
        : `${formatSharePercent(sum - WHOLE_SHARE)} de trop`
  const tone = sum > WHOLE_SHARE ? 'bg-danger' : sum === WHOLE_SHARE ? 'bg-success' : 'bg-(--data-local)'
  return (
    <div className="grid grow gap-1.5">
      <p role="status" className={cx('text-body', sum > WHOLE_SHARE && 'text-danger')}>
        Somme des parts&nbsp;: <span className="tabular font-semibold">{formatSharePercent(sum)}</span>, {sumText}.
      </p>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-200">
        <div className={cx('h-full rounded-full', tone)} style={{ width: `${Math.min(100, sum / 10_000)}%` }} />
      </div>
    </div>
  )
}

function ShareRow({
  form,
  named: consumer,
  field,
}: {
  form: DraftForm
  named: NamedConsumer
  field: 'share' | 'rank'
}) {
  const id = useId()
  const { row, at } = consumer
  const { errors } = useFormState({ control: form.control })
  const error: FieldError | undefined = get(errors, `consumers.${at}.${field}`)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-0">
      <label htmlFor={id} className="min-w-0 text-body">
        <span data-label="" className="font-medium">
          {row.name}
        </span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{formatPrm(row.prm.replace(/\D/g, ''))}</span>
      </label>
      <span className="grid justify-items-end gap-1">
        <span className="flex w-36 items-center gap-2">
          <Input
            {...form.register(`consumers.${at}.${field}`)}
            id={id}
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            className="tabular text-right"
          />
          <span aria-hidden="true" className="w-8 shrink-0 text-body text-ink-soft">
            {field === 'share' ? '%' : 'rang'}
          </span>
        </span>
        {error && (
          <span id={`${id}-error`} className="text-[0.8125rem] text-danger">
            {error.message}
          </span>
        )}
      </span>
    </li>
  )
}

/** A share or a rank for each consumer. */
function ShareEditor({ form, field }: { form: DraftForm; field: 'share' | 'rank' }) {
  const consumers = useWatch({ control: form.control, name: 'consumers' })
  const filledRows = consumers.map((row, at) => ({ row, at })).filter(({ row }) => !isBlankRow(row))
  const { errors } = useFormState({ control: form.control })
  const firstWrong = filledRows.findIndex(({ at }) => errors.consumers?.[at]?.[field] !== undefined)
  const { page, size, from, to, setPage } = usePagedRows(filledRows.length, firstWrong < 0 ? null : firstWrong)
  const fill = (values: string[]) =>
    filledRows.forEach(({ at }, index) => {
      form.setValue(`consumers.${at}.${field}`, values[index] ?? '', { shouldDirty: true })
    })
  if (filledRows.length === 0)
    return <p className="text-body text-ink-soft">Ajoutez d’abord des consommateurs à l’étape précédente.</p>
  return (
    <section aria-label={field === 'share' ? 'Parts' : 'Rangs'} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        {field === 'share' ? (
          <SumCheck consumers={consumers} />
        ) : (
          <p className="grow text-body text-ink-soft">
            1 est servi le premier. Les consommateurs d’un même rang se partagent selon leur consommation.
          </p>
        )}
        <Button
          variant="secondary"
          size="small"
          icon={<Equal aria-hidden="true" />}
          onClick={() =>
            fill(field === 'share' ? computeEqualShares(filledRows.length) : filledRows.map((_, at) => String(at + 1)))
          }
        >
          {field === 'share' ? 'Répartir également' : 'Numéroter dans l’ordre'}
        </Button>
      </div>
      <ul className="rounded-card border border-line bg-card px-4 py-1">
        {filledRows.slice(from, to).map((one) => (
          <ShareRow key={one.at} form={form} named={one} field={field} />
        ))}
      </ul>
      {filledRows.length > size && (
        <Pagination label="Consommateurs" page={page} size={size} total={filledRows.length} onPage={setPage} />
      )}
    </section>
  )
}
