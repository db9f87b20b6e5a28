import type { JoinEstimate, JoinPage } from '@voisol/contract/joining'
import { type FormEvent, useId, useState } from 'react'
import { formatEnergy, formatMoney, parseNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'

/** As the API names them, without its schemas: a page to read stays light. */
const DWELLING_OPTIONS = [
  { value: 'household', label: 'Un logement' },
  { value: 'household-electric-heating', label: 'Un logement chauffé à l’électricité' },
  { value: 'heat-pump', label: 'Un logement avec une pompe à chaleur' },
  { value: 'ev-household', label: 'Un logement avec une voiture électrique' },
  { value: 'office', label: 'Des bureaux' },
  { value: 'shop', label: 'Un commerce' },
]
const [MIN_YEARLY_KWH, MAX_YEARLY_KWH] = [100, 200_000]

const KWH_ERROR =
  'La consommation d’une année est attendue, entre 100 et 200\u202f000\u00a0kWh, par exemple 3\u202f200.'
const PRICE_ERROR_MESSAGE = 'Un prix en centimes par kWh est attendu, par exemple 16,5.'

type EstimateRequest = { dwelling: string; yearlyKwh: number; supplierPrice?: number }

async function fetchEstimate(
  slug: string,
  { supplierPrice, dwelling, yearlyKwh }: EstimateRequest,
): Promise<JoinEstimate | string> {
  const search = new URLSearchParams({ dwelling, yearlyKwh: String(yearlyKwh) })
  if (supplierPrice) search.set('supplierPrice', String(supplierPrice))
  try {
    const response = await fetch(`/api/join/${slug}/estimate?${search}`)
    const data = await response.json()
    return response.ok ? data : String(data?.message ?? 'L’estimation n’a pas pu être faite.')
  } catch {
    return 'La connexion au serveur a échoué. Réessayez dans un instant.'
  }
}

const Assumptions = ({ lines }: { lines: string[] }) => (
  <details className="mt-4">
    <summary className="cursor-pointer font-medium">Comment ce chiffre est calculé</summary>
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-[0.9375rem] text-ink-soft">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
)

/** What is known, or that nothing is yet: never an invented figure. */
function EstimateResult({ estimate }: { estimate: JoinEstimate }) {
  if (!estimate.enough)
    return (
      <p className="font-medium">
        Pas encore assez de données&nbsp;: cette opération n’a pas un mois de mesures. L’estimation viendra avec elles.
      </p>
    )
  const { savingCents, receivedWh, consumedWh, days, assumptions } = estimate
  const share = consumedWh > 0 ? Math.round((100 * receivedWh) / consumedWh) : 0
  return (
    <>
      {savingCents !== null && (
        <p className="text-3xl font-semibold tabular-nums">
          {formatMoney(Math.abs(savingCents))} {savingCents < 0 ? 'de plus' : 'économisés'}
        </p>
      )}
      <p className="mt-1 text-lg">
        Sur les {days} derniers jours mesurés, vous auriez reçu {formatEnergy(receivedWh)} d’énergie locale, soit{' '}
        {share}
        &nbsp;% de votre consommation.
      </p>
      <Assumptions lines={assumptions} />
    </>
  )
}

/** What joining would have changed, on one's own figures. */
export function JoinEstimateForm({ page }: { page: JoinPage }) {
  const [dwellingId, kwhId, priceId] = [useId(), useId(), useId()]
  const [busy, setBusy] = useState(false)
  const [faults, setFaults] = useState<{ kwh?: string; price?: string }>({})
  const [answer, setAnswer] = useState<JoinEstimate | string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const kwh = parseNumber(String(data.get('kwh') ?? ''))
    const typed = String(data.get('price') ?? '').trim()
    const price = typed ? parseNumber(typed) : undefined
    const errors = {
      ...(!(kwh && kwh >= MIN_YEARLY_KWH && kwh <= MAX_YEARLY_KWH) && { kwh: KWH_ERROR }),
      ...(typed && !(price && price > 0 && price <= 200) && { price: PRICE_ERROR_MESSAGE }),
    }
    setFaults(errors)
    const first = Object.keys(errors)[0]
    if (first || !kwh) return void form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    setBusy(true)
    const supplier = price ? { supplierPrice: Math.round(price * 100) } : {}
    setAnswer(
      await fetchEstimate(page.slug, {
        dwelling: String(data.get('dwelling')),
        yearlyKwh: Math.round(kwh),
        ...supplier,
      }),
    )
    setBusy(false)
  }
  return (
    <div className="grid gap-6 rounded-card border border-line bg-card p-5 shadow-card sm:p-8">
      <form noValidate onSubmit={submit} className="grid gap-5 sm:grid-cols-2">
        <FieldFrame id={dwellingId} label="C’est pour">
          <Select id={dwellingId} name="dwelling" options={DWELLING_OPTIONS} />
        </FieldFrame>
        <FieldFrame
          id={kwhId}
          label="Votre consommation d’une année, en kWh"
          hint="Elle est sur votre facture d’électricité."
          {...(faults.kwh && { error: faults.kwh })}
        >
          <Input
            id={kwhId}
            name="kwh"
            inputMode="numeric"
            autoComplete="off"
            aria-invalid={faults.kwh ? true : undefined}
            aria-describedby={faults.kwh ? `${kwhId}-hint ${kwhId}-error` : `${kwhId}-hint`}
          />
        </FieldFrame>
        <FieldFrame
          id={priceId}
          label="Le prix de votre fournisseur, en centimes par kWh hors taxes"
          optional
          {...(faults.price && { error: faults.price })}
        >
          <Input
            id={priceId}
            name="price"
            inputMode="decimal"
            autoComplete="off"
            aria-invalid={faults.price ? true : undefined}
            aria-describedby={faults.price ? `${priceId}-error` : undefined}
          />
        </FieldFrame>
        <Button type="submit" variant="secondary" size="large" loading={busy} className="self-end">
          Estimer ce que j’y gagnerais
        </Button>
      </form>
      <div role="status" className="empty:hidden">
        {answer !== null && (
          <div className="rounded-card bg-page p-5">
            {typeof answer === 'string' ? (
              <p className="text-danger">{answer}</p>
            ) : (
              <EstimateResult estimate={answer} />
            )}
          </div>
        )}
      </div>
    </div>
  )
}
