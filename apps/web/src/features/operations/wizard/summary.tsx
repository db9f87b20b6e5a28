import { useWatch } from 'react-hook-form'
import { ALLOCATION_METHOD_LABELS, PERIMETER_LABELS } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatPrice, parsePrice } from '../../../lib/price.ts'
import { cardClass } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { isBlankRow, type OperationWizardDraft } from './draft.ts'
import { formatPeakPower } from './facts.ts'
import { computeDraftPower } from './perimeter.ts'
import type { DraftForm } from './use-draft.ts'

/** The operation as it takes shape, beside every step. */
export function DraftSummary({ form }: { form: DraftForm }) {
  const draft = useWatch({ control: form.control }) as OperationWizardDraft // every field has a default
  const { watts } = computeDraftPower(draft)
  const count = (rows: { name: string; prm: string }[]) => rows.filter((row) => !isBlankRow(row)).length
  const parsedPrice = parsePrice(draft.price)
  const lines = [
    ['Périmètre', PERIMETER_LABELS[draft.perimeter]],
    ['Puissance', watts > 0 ? formatPeakPower(watts) : '–'],
    ['Producteurs', formatCount(count(draft.producers), 'installation')],
    ['Consommateurs', formatCount(count(draft.consumers), 'point')],
    ['Clé', ALLOCATION_METHOD_LABELS[draft.method].label],
    ['Prix', parsedPrice === null ? '–' : formatPrice(parsedPrice)],
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
