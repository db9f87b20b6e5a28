import type { Assembly } from '@voisol/contract/assembly'
import type { PeriodEnergyTotals } from '@voisol/contract/energy'
import { formatEuros } from '@voisol/documents/number-and-date-formats'
import { formatCount } from '@voisol/file-formats/french'
import { computeSavedCents } from '@voisol/money/amounts'
import { and, eq, inArray } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { getToday } from '../../../today.ts'
import { computeInvoiceTotals, loadSuppliedWithState, sumDocuments } from '../../billing/invoices/index.ts'
import { loadLotCharges, loadSpreadBuyerIds } from '../../billing/lots/index.ts'
import { loadOperationTerms } from '../../billing/parties/index.ts'
import { loadEnergyTotalsByPeriod, loadMemberRows, type Period, requirePeriod } from '../energy/index.ts'

type AssemblyDocument = Awaited<ReturnType<typeof loadSuppliedWithState>>[number]
type AssemblyBuyer = Assembly['buyers'][number]
type AssemblyProducer = Assembly['producers'][number]
type BuyerEnergy = { wh: number; valueCents: number | null }

const toWattMinutes = (wh: number) => Math.round(wh * 60)

/** Local energy of each participant, and its value at the operation's price. */
async function loadEnergyByParticipant(
  db: Db,
  actor: Actor,
  operationId: string,
  period: Period,
): Promise<Map<string, BuyerEnergy>> {
  const rows = await loadMemberRows(db, actor, { ...period, operationId })
  const consumptionRows = rows.filter(({ direction, storage }) => direction === 'consumption' && !storage)
  return new Map(
    [...Map.groupBy(consumptionRows, ({ participantId }) => participantId)].map(([id, own]) => [
      id,
      {
        wh: Math.round(own.reduce((sum, { local }) => sum + local, 0) * 1000) / 1000,
        valueCents: own.reduce<number | null>(
          (sum, { valueCents }) => (sum === null || valueCents === null ? null : sum + valueCents),
          0,
        ),
      },
    ]),
  )
}

async function loadParticipantNames(db: Db, companyId: number, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function toAssemblyBuyer(
  id: string,
  name: string,
  own: AssemblyDocument[],
  energy: BuyerEnergy | undefined,
  supplierPrice: number | null,
): AssemblyBuyer {
  const { gross: billed, open, overdue, credit } = computeInvoiceTotals(own, getToday())
  const left = open - credit
  const { wh = null, valueCents = null } = energy ?? {}
  const known = supplierPrice !== null && wh !== null && valueCents !== null
  const saved = known ? computeSavedCents(toWattMinutes(wh), supplierPrice, valueCents) : null
  return { id, name, wh, billed, settled: billed - left, open: left, overdue, saved }
}

const groupSalesBySeller = (documents: AssemblyDocument[]) =>
  Map.groupBy(
    documents.filter(({ buyerId, kind }) => buyerId !== null && kind !== 'statement'),
    ({ sellerId }) => sellerId,
  )
/** Whether the seller sells energy; one that only invoices memberships and fees has no plant. */
const isEnergySeller = ([, own]: [string, AssemblyDocument[]]) => own.some(({ wh }) => wh !== 0)

/** Notes on amounts invoiced besides energy, which are no plant income. */
const buildFeeNotes = (documents: AssemblyDocument[]): string[] =>
  [...groupSalesBySeller(documents)]
    .filter((one) => !isEnergySeller(one))
    .map(
      ([, own]) =>
        `${formatEuros(sumDocuments(own).gross)} TTC d’adhésions et de frais facturés par ${own.at(-1)?.seller ?? ''} ne sont pas comptés dans ce que la toiture a rapporté.`,
    )

function buildAssemblyProducers(documents: AssemblyDocument[]): AssemblyProducer[] {
  const producers = [...groupSalesBySeller(documents)].filter(isEnergySeller).map(([id, own]): AssemblyProducer => {
    const fees = sumDocuments(documents.filter(({ clientSellerId }) => clientSellerId === id)).gross
    const sums = sumDocuments(own)
    return { id, name: own.at(-1)?.seller ?? '', ...sums, fees, earned: sums.gross - fees }
  })
  return producers.sort((a, b) => b.earned - a.earned || a.name.localeCompare(b.name, 'fr'))
}

/** Notes on what makes these figures incomplete. */
function buildNotes(
  energy: PeriodEnergyTotals | null,
  supplierPrice: number | null,
  buyers: AssemblyBuyer[],
): string[] {
  const unpriced = buyers.filter(({ saved, wh }) => saved === null && (wh ?? 0) > 0).length
  return [
    ...(energy === null ? ['Aucun relevé n’est connu sur cette période.'] : []),
    ...(energy !== null && energy.pendingConsumed + energy.pendingProduced > 0
      ? ['Une partie de la période n’est pas encore répartie\u00a0: ces chiffres peuvent encore monter.']
      : []),
    ...(supplierPrice === null
      ? [
          'Le prix du fournisseur n’est pas renseigné dans les réglages de l’opération\u00a0: l’économie n’est pas calculée.',
        ]
      : unpriced > 0
        ? [`Le prix de l’énergie locale n’est pas connu pour ${formatCount(unpriced, 'participant', 'participants')}.`]
        : []),
  ]
}

const sumBy = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)

/** The figures an assembly votes on for a supply period, with payments as of today. */
export async function loadAssembly(
  db: Db,
  { config }: Pick<Deps, 'config'>,
  actor: Actor,
  operationId: string,
  requestedPeriod: Period,
): Promise<Assembly> {
  const period = requirePeriod(requestedPeriod)
  const operation = await requireVisibleOperation(db, actor, operationId)
  const { supplierPrice, surplusPrice } = await loadOperationTerms(db, actor.companyId, operationId)
  const [energy = null] = await loadEnergyTotalsByPeriod(db, actor, config, operationId, [period])
  const documents = await loadSuppliedWithState(db, actor, { ...period, operationId })
  const energyByParticipant = await loadEnergyByParticipant(db, actor, operationId, period)
  const ids = [...new Set([...energyByParticipant.keys(), ...documents.flatMap(({ buyerId }) => buyerId ?? [])])]
  const names = await loadParticipantNames(db, actor.companyId, ids)
  const buyers = ids
    .map((id) => {
      const buyerDocuments = documents.filter(({ buyerId }) => buyerId === id)
      return toAssemblyBuyer(
        id,
        names.get(id) ?? '',
        buyerDocuments,
        energy === null ? undefined : energyByParticipant.get(id),
        supplierPrice,
      )
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'fr'))
  const producers = buildAssemblyProducers(documents)
  const spreadParticipantIds = await loadSpreadBuyerIds(db, actor)
  const lots: Assembly['lots'] = []
  for (const { id } of buyers) if (spreadParticipantIds.has(id)) lots.push(await loadLotCharges(db, actor, id, period))
  const knownSavings = buyers.flatMap(({ saved }) => saved ?? [])
  return {
    operation: { id: operation.id, name: operation.name },
    ...period,
    on: getToday(),
    energy,
    supplierPrice,
    surplusPrice,
    buyers,
    totals: {
      billed: sumBy(buyers, ({ billed }) => billed),
      settled: sumBy(buyers, ({ settled }) => settled),
      open: sumBy(buyers, ({ open }) => open),
      overdue: sumBy(buyers, ({ overdue }) => overdue),
      saved: knownSavings.length ? sumBy(knownSavings, (cents) => cents) : null,
    },
    producers,
    earned: sumBy(producers, ({ earned }) => earned),
    surplus:
      energy === null || surplusPrice === null
        ? null
        : computeSavedCents(toWattMinutes(energy.surplus), surplusPrice, 0),
    lots,
    notes: [...buildNotes(energy, supplierPrice, buyers), ...buildFeeNotes(documents)],
  }
}
