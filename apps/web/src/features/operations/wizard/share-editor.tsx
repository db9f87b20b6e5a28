import Equal from 'lucide-react/icons/equal'
import { useId } from 'react'
import { type FieldError, get, useFormState, useWatch } from 'react-hook-form'
import { prm } from '../../../lib/energy-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Input } from '../../../ui/input.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { type ConsumerRow, isBlank } from './draft.ts'
import { usePages } from './rows.tsx'
import { equalShares, percentText, sumOfShares, WHOLE } from './shares.ts'
import type { DraftForm } from './use-draft.ts'

type Named = { row: ConsumerRow; at: number }

/** How far the shares are from one whole, in words and as a bar. */
function SumCheck({ consumers }: { consumers: ConsumerRow[] }) {
  const sum = sumOfShares(consumers)
  const words =
    sum === WHOLE
      ? 'toute la production est répartie'
      : sum < WHOLE
        ? `${percentText(WHOLE - sum)} restent en surplus`
        : `${percentText(sum - WHOLE)} de trop`
  const tone = sum > WHOLE ? 'bg-danger' : sum === WHOLE ? 'bg-success' : 'bg-(--data-local)'
  return (
    <div className="grid grow gap-1.5">
      <p role="status" className={cx('text-body', sum > WHOLE && 'text-danger')}>
        Somme des parts&nbsp;: <span className="tabular font-semibold">{percentText(sum)}</span>, {words}.
      </p>
      <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-slate-200">
        <div className={cx('h-full rounded-full', tone)} style={{ width: `${Math.min(100, sum / 10_000)}%` }} />
      </div>
    </div>
  )
}

function ShareRow({ form, named, field }: { form: DraftForm; named: Named; field: 'share' | 'rank' }) {
  const id = useId()
  const { row, at } = named
  const { errors } = useFormState({ control: form.control })
  const error: FieldError | undefined = get(errors, `consumers.${at}.${field}`)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2 first:border-0">
      <label htmlFor={id} className="min-w-0 text-body">
        <span data-label="" className="font-medium">
          {row.name}
        </span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{prm(row.prm.replace(/\D/g, ''))}</span>
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
export function ShareEditor({ form, field }: { form: DraftForm; field: 'share' | 'rank' }) {
  const consumers = useWatch({ control: form.control, name: 'consumers' })
  const named = consumers.map((row, at) => ({ row, at })).filter(({ row }) => !isBlank(row))
  const { errors } = useFormState({ control: form.control })
  const wrong = named.findIndex(({ at }) => errors.consumers?.[at]?.[field] !== undefined)
  const { page, size, from, to, setPage } = usePages(named.length, wrong < 0 ? null : wrong)
  const fill = (values: string[]) =>
    named.forEach(({ at }, index) => {
      form.setValue(`consumers.${at}.${field}`, values[index] ?? '', { shouldDirty: true })
    })
  if (named.length === 0)
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
          onClick={() => fill(field === 'share' ? equalShares(named.length) : named.map((_, at) => String(at + 1)))}
        >
          {field === 'share' ? 'Répartir également' : 'Numéroter dans l’ordre'}
        </Button>
      </div>
      <ul className="rounded-card border border-line bg-card px-4 py-1">
        {named.slice(from, to).map((one) => (
          <ShareRow key={one.at} form={form} named={one} field={field} />
        ))}
      </ul>
      {named.length > size && (
        <Pagination label="Consommateurs" page={page} size={size} total={named.length} onPage={setPage} />
      )}
    </section>
  )
}
