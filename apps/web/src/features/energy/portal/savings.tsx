import type { Totals } from '@voisol/contract/energy'
import { type FormEvent, useId, useState } from 'react'
import { kwh, money } from '../../../lib/format.ts'
import { PRICE_ERROR, parsePrice, price, priceText } from '../../../lib/price.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { cardClass } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { FieldFrame } from '../../../ui/field-frame.tsx'
import { Input } from '../../../ui/input.tsx'
import { priceOf } from './figures.ts'
import { type Saving, savingOf } from './savings.ts'
import { useSupplierPrice } from './supplier-price.ts'

function Told({ saving, local, when }: { saving: Saving; local: number; when: string }) {
  const { cents, supplierPrice, localPrice } = saving
  const amount = money(Math.abs(cents))
  return (
    <>
      <p className="text-xl font-semibold">
        {cents < 0 ? `${amount} de plus qu’au réseau ${when}` : `${amount} économisés ${when}`}
      </p>
      <p className="tabular mt-1 text-ink-soft">
        {kwh(local / 1000)} d’énergie locale × ({price(supplierPrice)} − {price(localPrice)}), hors taxes
      </p>
    </>
  )
}

function PriceForm({ first, onKeep }: { first: number | null; onKeep: (price: number) => void }) {
  const [text, setText] = useState(priceText(first))
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

/** What the month saved, with the sum behind it; without the prices, what is missing and who can say it. */
export function Savings({ totals, when }: { totals: Totals; when: string }) {
  const { user } = useSession()
  const [supplier, keep] = useSupplierPrice()
  const [editing, setEditing] = useState(false)
  if (totals.allocated <= 0) return null
  const saving = savingOf(totals, supplier)
  const hasLocal = priceOf(totals, 'consumption') !== null
  return (
    <section aria-label="Économies" className={cx(cardClass, 'p-5 sm:p-6')}>
      {saving && <Told saving={saving} local={totals.allocated} when={when} />}
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
            keep(typed)
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
