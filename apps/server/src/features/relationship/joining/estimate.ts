import type { JoinEstimate } from '@voisol/contract/joining'
import { DWELLING_LABELS, type Dwelling } from '@voisol/contract/joining-words'
import { addDays, dayOf } from '@voisol/energy/calendar'
import { computeEnergyCents } from '@voisol/money/amounts'
import type { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { formatFrenchDay, formatFrenchNumber } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { loadEnergySeries } from '../../understanding/energy/energy.ts'
import { loadEnergyPrices } from '../../understanding/insights/insights.ts'
import { authorizePublicReader } from './figures.ts'
import type { JoinPageContext } from './page.ts'
import { formatKwhPrice } from './texts.ts'

type EstimateRequest = { dwelling: z.infer<typeof Dwelling>; yearlyKwh: number; supplierPrice?: number | undefined }
type EstimateDeps = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }

const YEAR_DAYS = 365
/** Less than thirty days of hours are not representative of a year. */
const MIN_HOURS = 30 * 24

const NO_ESTIMATE: JoinEstimate = {
  enough: false,
  from: null,
  to: null,
  days: 0,
  consumedWh: 0,
  receivedWh: 0,
  price: null,
  supplierPrice: null,
  savingCents: null,
  assumptions: [],
}

const listAssumptions = (
  { dwelling, yearlyKwh, supplierPrice }: EstimateRequest,
  local: number | null,
  supplier: number | null,
) => [
  `Vos heures de consommation sont celles d’un profil type (${DWELLING_LABELS[dwelling].toLowerCase()}), à ${formatFrenchNumber(yearlyKwh)}\u00a0kWh par an.`,
  'Vous recevez ce que les autres n’ont pas consommé, heure par heure\u00a0: leur part n’est pas réduite. Si plusieurs personnes entrent, ce reste se partage.',
  ...(local === null
    ? ['Le prix local n’est pas le même pour tous\u00a0: l’économie ne peut pas être dite d’avance.']
    : []),
  ...(local !== null && supplier !== null
    ? [
        `Chaque kWh local à ${formatKwhPrice(local)} remplace un kWh de votre fournisseur à ${formatKwhPrice(supplier)}${supplierPrice ? ', le prix que vous avez donné' : ', le prix de référence de l’opération'}.`,
      ]
    : []),
  'Taxes et abonnement ne sont pas comptés. C’est une estimation, sans engagement.',
]

/** What somebody would have received and saved over the last twelve months that are known: never beyond them. */
export async function estimateSavings(
  { db, compute, signal }: EstimateDeps,
  { operation }: JoinPageContext,
  asked: EstimateRequest,
): Promise<JoinEstimate> {
  const { companyId } = operation
  const actor = await authorizePublicReader(db, companyId, operation.id)
  const to = getToday()
  const period = { from: addDays(to, -YEAR_DAYS), to }
  const series = await loadEnergySeries(db, actor, { operationId: operation.id, ...period, granularity: 'hour' }, [
    'surplus',
  ])
  const known = series.surplus.flatMap((value, at) => (value === null ? [] : [at]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || known.length < MIN_HOURS) return NO_ESTIMATE
  const minuteAt = (at: number) => Date.parse(series.starts[at] ?? '') / 60_000
  const startsAt = minuteAt(first)
  const surplus = series.surplus.slice(first, last + 1)
  const { dwelling: profile, yearlyKwh } = asked
  const work = { profile, yearlyKwh, startsAt, surplus }
  const { received, consumed } = await compute('joining.estimate', work, { companyId, signal })
  const prices = await loadEnergyPrices(db, companyId, operation.id, to)
  const supplier = asked.supplierPrice ?? prices.supplier
  const saves = prices.local !== null && supplier !== null
  return {
    enough: true,
    from: dayOf(startsAt),
    to: addDays(dayOf(minuteAt(last)), 1),
    days: Math.round(known.length / 24),
    consumedWh: consumed,
    receivedWh: received,
    price: prices.local,
    supplierPrice: supplier,
    savingCents: saves
      ? computeEnergyCents(received, supplier) - computeEnergyCents(received, prices.local ?? 0)
      : null,
    assumptions: [
      `Calcul fait sur les mesures de l’opération du ${formatFrenchDay(dayOf(startsAt))} au ${formatFrenchDay(dayOf(minuteAt(last)))}.`,
      ...listAssumptions(asked, prices.local, supplier),
    ],
  }
}
