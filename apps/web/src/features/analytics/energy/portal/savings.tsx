import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { computeSavedCents } from '@voisol/money/amounts'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { cardClass } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { FieldFrame, Input } from '../../../../components/input.tsx'
import { formatKwh } from '../../../../lib/format.ts'
import { formatPrice, formatPriceInput, PRICE_ERROR, parsePrice } from '../../../../lib/price.ts'
import { useSession } from '../../../../lib/session.ts'
import { getLocalPrice } from './month-figures.tsx'

const SavingExplanation = ({ saving: { supplierPrice, localPrice }, local }: { saving: Saving; local: number }) => (
  <>
    <h2 className="text-body font-semibold">D’où vient cet écart</h2>
    <p className="tabular mt-1 text-ink-soft">
      {formatKwh(local / 1000)} d’énergie locale × ({formatPrice(supplierPrice)} − {formatPrice(localPrice)}), hors
      taxes
    </p>
  </>
)

function PriceForm({ first, onKeep }: { first: number | null; onKeep: (price: number) => void }) {
  const [text, setText] = useState(formatPriceInput(first))
  const [wrong, setWrong] = useState(false)
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = parsePrice(text)
    setWrong(!typed)
    if (typed) onKeep(typed)
  }
  return (
    <form onSubmit={submit} noValidate className="mt-3 flex flex-wrap items-end gap-3">
      <FieldFrame
        id={id}
        label="Prix du kWh de votre fournisseur, hors taxes (c€/kWh)"
        hint="Il est écrit sur votre facture d’électricité, par exemple 16,3 pour 0,163 €. Il reste sur cet appareil."
        error={wrong ? PRICE_ERROR : undefined}
      >
        <Input
          id={id}
          inputMode="decimal"
          aria-describedby={`${id}-hint${wrong ? ` ${id}-error` : ''}`}
          aria-invalid={wrong}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </FieldFrame>
      <Button type="submit" variant="secondary">
        Calculer mes économies
      </Button>
    </form>
  )
}

type SavingsProps = {
  totals: PeriodEnergyTotals
  saving: Saving | null
  supplier: number | null
  onKeep: (price: number) => void
}

/** The sum behind what the month saved; without the prices, what is missing and who can say it. */
export function Savings({ totals, saving, supplier, onKeep }: SavingsProps) {
  const { user } = useSession()
  const [editing, setEditing] = useState(false)
  if (totals.allocated <= 0) return null
  const hasLocal = getLocalPrice(totals, 'consumption') !== null
  return (
    <section aria-label="Économies" className={cx(cardClass, 'p-5 sm:p-6')}>
      {saving && <SavingExplanation saving={saving} local={totals.allocated} />}
      {!hasLocal && (
        <p>
          Pour dire ce que vous économisez, il manque le prix de l’énergie locale&nbsp;: {user?.companyName} peut
          l’indiquer dans les réglages de l’opération.
        </p>
      )}
      {hasLocal && !saving && (
        <p>
          Pour dire ce que vous économisez, il manque un prix que vous seul connaissez&nbsp;: celui de votre
          fournisseur.
        </p>
      )}
      {hasLocal && (!saving || editing) && (
        <PriceForm
          first={supplier}
          onKeep={(typed) => {
            onKeep(typed)
            setEditing(false)
          }}
        />
      )}
      {saving && !editing && (
        <Button variant="quiet" size="small" className="mt-2" onClick={() => setEditing(true)}>
          Changer le prix de mon fournisseur
        </Button>
      )}
    </section>
  )
}

/** Prices in 1/10 000 of a euro per kWh, before tax; the saving in whole cents. */
type Saving = { localPrice: number; supplierPrice: number; cents: number }

/** What the local energy would have cost at the supplier's price, less what it costs at the local one. */
export function computeSaving(totals: PeriodEnergyTotals, supplierPrice: number | null): Saving | null {
  const localPrice = getLocalPrice(totals, 'consumption')
  if (localPrice === null || totals.valueCents === null || supplierPrice === null) return null
  return {
    localPrice,
    supplierPrice,
    cents: computeSavedCents(Math.round(totals.allocated * 60), supplierPrice, totals.valueCents),
  }
}
