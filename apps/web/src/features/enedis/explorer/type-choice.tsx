import type { SeriesType } from '@voisol/contract/enedis'
import { SERIES_TYPE_LABELS } from '../../../lib/distributor-labels.ts'
import { cx } from '../../../ui/cx.ts'

type Props = { possible: SeriesType[]; chosen: SeriesType[]; onChange: (types: SeriesType[]) => void }

/** Which series are asked for, one call each; one at least stays. */
export function SeriesTypeChoice({ possible, chosen, onChange }: Props) {
  const toggle = (type: SeriesType) => {
    const next = possible.filter((one) => (one === type ? !chosen.includes(one) : chosen.includes(one)))
    if (next.length > 0) onChange(next)
  }
  return (
    <fieldset data-print="hide" className="flex flex-wrap gap-2">
      <legend className="sr-only">Séries affichées</legend>
      {possible.map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={chosen.includes(type)}
          onClick={() => toggle(type)}
          className={cx(
            'inline-flex min-h-8 items-center gap-1.5 rounded-full border px-3 text-[0.8125rem] font-medium transition-colors duration-150',
            chosen.includes(type)
              ? 'border-primary-ink bg-primary-soft text-primary-ink'
              : 'border-line-strong bg-card text-ink-soft hover:border-control hover:text-ink',
          )}
        >
          {SERIES_TYPE_LABELS[type]}
          <code className="text-xs font-normal">{type}</code>
        </button>
      ))}
    </fieldset>
  )
}
