import { addDays } from '@voisol/energy/calendar'
import type { MonthInput } from '@voisol/money/input'
import { getEffectiveKeys, loadKeys } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { loadSellers, type SellerRow } from '../parties/index.ts'
import { loadQuantities, type MonthQuantities } from '../quantities/index.ts'
import { type EffectiveSettings, loadAcciseRates, loadSettingsOn } from '../settings/index.ts'
import { loadOperationPrices, loadPricesUnderTariff, type OperationPrices } from '../tariffs/index.ts'
import type { ComputedMonth } from './close-task.ts'

/** What documents need besides the billing input: names, meters, and the source of every figure. */
export type MonthContext = {
  days: number
  members: {
    id: string
    pointId: string
    prm: string
    label: string
    name: string
    buyer: string
    from: string
    to: string | null
    /** Watt-minutes by day of the month; null when unknown. */
    drawn: (number | null)[]
  }[]
  producers: { id: string; pointId: string; label: string; seller: string; shared: number }[]
  runs: { id: string; kind: string; from: string; to: string; resultHash: string }[]
  keys: { id: string; number: number; from: string }[]
  tariffs: { id: string; number: number; from: string }[]
  settings: { name: string; from: string; source: string }[]
  /** Names of rules, fees and discounts. */
  labels: Record<string, string>
}
export type MonthSource = {
  input: MonthInput
  frame: MonthContext
  quantities: MonthQuantities
  settings: EffectiveSettings
}
type MonthOptions = { acceptLastIndex?: boolean | undefined; tariffDraft?: string | undefined }

/** Loads everything a month is computed from, as known now. */
export async function loadMonthSource(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
  { acceptLastIndex = false, tariffDraft }: MonthOptions = {},
): Promise<MonthSource> {
  const quantities = await loadQuantities(db, companyId, operationId, month)
  const { period } = quantities
  const prices = await (tariffDraft
    ? loadPricesUnderTariff(db, companyId, operationId, tariffDraft)
    : loadOperationPrices(db, companyId, operationId))
  const sellers = await loadSellers(db, companyId)
  const settings = await loadSettingsOn(db, companyId, addDays(period.to, -1))
  const discounts = prices.discounts.filter(({ from, to }) => from <= period.from && (to === null || period.from < to))
  const input: MonthInput = {
    month,
    resolutionWh: settings['quantity.unitWh'].value,
    sellers: listSellersWithSales(sellers, quantities, { ...prices, discounts }),
    producers: quantities.producers.map(({ id, seller, accise }) => ({ id, seller, accise: accise ?? false })),
    members: quantities.members.map(({ pointId: _, label: __, name: ___, ...member }) => member),
    cells: quantities.cells,
    distributor: quantities.distributor,
    tariffs: prices.tariffs.map((version) => addRulesOfSuccessors(version, quantities)),
    fees: prices.fees,
    discounts: discounts.map(({ from: _, to: __, ...discount }) => discount),
    // When nobody owes the accise, its rate changes do not split the month into segments.
    accise: quantities.producers.some(({ accise }) => accise) ? await loadAcciseRates(db, companyId) : [],
    provisional: quantities.provisional,
    acceptLastIndex,
  }
  const keyPeriods = getEffectiveKeys(await loadKeys(db, companyId, operationId), period.from, period.to)
  const keys = keyPeriods.map(({ version: { id, number, startsOn } }) => ({ id, number, from: startsOn }))
  return { input, frame: buildMonthContext(quantities, prices, settings, keys), quantities, settings }
}

/** Sellers with something to sell here: the others have no document. */
function listSellersWithSales(
  all: SellerRow[],
  { producers }: MonthQuantities,
  { fees, discounts }: Pick<OperationPrices, 'fees' | 'discounts'>,
) {
  const sellerIds = new Set([
    ...producers.map(({ seller }) => seller),
    ...fees.map(({ seller }) => seller),
    ...discounts.map(({ seller }) => seller),
  ])
  return all.filter(({ id }) => sellerIds.has(id)).map(({ id, vat }) => ({ id, vat }))
}

type TariffVersion = MonthInput['tariffs'][number]

/** A rule that names a meter also applies to a new holder of that meter during the month. */
function addRulesOfSuccessors(version: TariffVersion, { producers }: MonthQuantities): TariffVersion {
  const successors = producers.filter(({ id, pointId }) => id !== pointId)
  const successorRules = successors.flatMap(({ id, pointId }) =>
    version.rules
      .filter(({ producer }) => producer === pointId)
      .map((rule) => ({ ...rule, id: `${rule.id}${id.slice(pointId.length)}`, producer: id })),
  )
  return { ...version, rules: [...version.rules, ...successorRules] }
}

function buildMonthContext(
  quantities: MonthQuantities,
  prices: OperationPrices,
  settings: EffectiveSettings,
  keys: MonthContext['keys'],
): MonthContext {
  const { members, producers, drawn, shared, runs, period } = quantities
  const byMember = new Map(drawn.map(({ member, total }) => [member, total]))
  const byProducer = new Map(shared.map(({ producer, wattMinutes }) => [producer, wattMinutes]))
  const inMonth = prices.versions.filter(({ from }, at) => {
    const next = prices.versions[at + 1]
    return from < period.to && (!next || next.from > period.from)
  })
  return {
    days: quantities.days.length,
    members: members.map(({ id, pointId, prm, label, name, buyer, from, to }) => ({
      id,
      pointId,
      prm,
      label,
      name,
      buyer,
      from,
      to,
      drawn: byMember.get(id) ?? [],
    })),
    producers: producers.map(({ id, pointId, label, seller }) => ({
      id,
      pointId,
      label,
      seller,
      shared: byProducer.get(id) ?? 0,
    })),
    runs: runs.map(({ id, kind, from, to, resultHash }) => ({ id, kind, from, to, resultHash })),
    keys,
    tariffs: inMonth,
    settings: Object.values(settings).map(({ name, from, source }) => ({ name, from, source })),
    labels: Object.fromEntries(prices.labels),
  }
}

export type ComputeContext = Pick<Deps, 'compute'> & { signal?: AbortSignal }
export type MonthRequest = { companyId: number; operationId: string; month: string } & MonthOptions
export type MonthComputation = MonthSource & ComputedMonth

/** Computes a month in a worker thread as it would be closed now; stores nothing. */
export async function computeMonth(
  { compute, signal }: ComputeContext,
  db: Db,
  wanted: MonthRequest,
): Promise<MonthComputation> {
  const { companyId, operationId, month, ...choices } = wanted
  const source = await loadMonthSource(db, companyId, operationId, month, choices)
  const computed = await compute('billing.month', source.input, { companyId, signal })
  return { ...source, ...computed }
}
