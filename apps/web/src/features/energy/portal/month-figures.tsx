import type { Summary } from '@voisol/contract/energy'
import { energyLike, money } from '../../../lib/format.ts'
import { cardClass } from '../../../ui/card.tsx'
import { measures } from '../../../ui/curve-explorer/measure.ts'
import { cx } from '../../../ui/cx.ts'
import { Figure } from '../../../ui/figure.tsx'
import { gramsOf, localOf, pendingOf, restOf, wholeOf } from './figures.ts'
import type { Mine, Side } from './my-points.ts'

type Line = { label: string; figure: string; note?: string }

const NAMES: Record<Side, { whole: string; local: string; rest: string; value: string }> = {
  consumption: {
    whole: 'Consommation',
    local: 'Énergie locale',
    rest: 'Réseau',
    value: 'De l’énergie locale, au prix de l’opération, hors taxes.',
  },
  production: {
    whole: 'Production',
    local: 'Énergie partagée',
    rest: 'Surplus',
    value: 'De l’énergie partagée, au prix de l’opération, hors taxes.',
  },
}

/** Before a run nothing is known of what was shared: that is no zero. */
export function linesOf(summary: Summary, { side, valued }: Mine): Line[] {
  const { current, steps } = summary
  const names = NAMES[side]
  const energy = energyLike([wholeOf(current, side)])
  const pending = pendingOf(current, side)
  const told = (text: string) => (steps.allocated > 0 ? text : '–')
  return [
    { label: names.whole, figure: energy(wholeOf(current, side)) },
    { label: names.local, figure: told(energy(localOf(current, side))) },
    { label: names.rest, figure: told(energy(restOf(current, side))) },
    ...(pending > 0 && steps.allocated > 0 ? [{ label: 'Pas encore réparti', figure: energy(pending) }] : []),
    { label: 'CO₂ évité', figure: told(measures.carbon.text(gramsOf(summary, side))) },
    ...(valued && current.valueCents !== null
      ? [{ label: 'Valeur', figure: told(money(current.valueCents)), note: names.value }]
      : []),
  ]
}

export const Lines = ({ lines, label }: { lines: Line[]; label: string }) => (
  <dl
    aria-label={label}
    className={cx(
      cardClass,
      'grid grid-cols-2 gap-x-6 gap-y-6 p-5 sm:grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] sm:p-6',
    )}
  >
    {lines.map(({ label, figure, note }) => (
      <div key={label} className="min-w-0">
        <dt className="text-[0.9375rem] leading-5 text-ink-soft">{label}</dt>
        <dd className="mt-1.5">
          <Figure className="text-2xl font-semibold tracking-tight">{figure}</Figure>
          {note && <span className="mt-0.5 block text-[0.8125rem] text-ink-soft">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)
