import { useWatch } from 'react-hook-form'
import { METHODS, PERIMETERS } from '../../../lib/energy-labels.ts'
import { plural } from '../../../lib/format.ts'
import { parsePrice, price } from '../../../lib/price.ts'
import { cardClass } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { type Draft, isBlank } from './draft.ts'
import { peakPower } from './facts.ts'
import { powerOf } from './perimeter.ts'
import type { DraftForm } from './use-draft.ts'

/** The operation as it takes shape, beside every step. */
export function DraftSummary({ form }: { form: DraftForm }) {
  const draft = useWatch({ control: form.control }) as Draft // every field has a default
  const { watts } = powerOf(draft)
  const count = (rows: { name: string; prm: string }[]) => rows.filter((row) => !isBlank(row)).length
  const stored = parsePrice(draft.price)
  const lines = [
    ['Périmètre', PERIMETERS[draft.perimeter]],
    ['Puissance', watts > 0 ? peakPower(watts) : '–'],
    ['Producteurs', plural(count(draft.producers), 'installation')],
    ['Consommateurs', plural(count(draft.consumers), 'point')],
    ['Clé', METHODS[draft.method].label],
    ['Prix', stored === null ? '–' : price(stored)],
  ]
  return (
    <div className={cx(cardClass, 'p-5 lg:sticky lg:top-20')}>
      <p className="text-[0.8125rem] text-ink-soft">Votre opération</p>
      <p className="mt-0.5 text-base font-semibold break-words">{draft.name || 'Sans nom pour l’instant'}</p>
      <dl className="mt-4 grid gap-3">
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt className="text-[0.8125rem] text-ink-soft">{label}</dt>
            <dd className="tabular text-body font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 border-t border-line pt-3 text-[0.8125rem] text-ink-soft">
        Votre saisie est gardée dans cet onglet&nbsp;: vous pouvez quitter cette page et y revenir.
      </p>
    </div>
  )
}
