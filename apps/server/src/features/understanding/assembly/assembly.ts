import type { Assembly } from '@voisol/contract/assembly'
import type { Totals } from '@voisol/contract/energy'
import { savedCents } from '@voisol/money/worth'
import { and, eq, inArray } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { plural } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { euros } from '../../../papers/decimals.ts'
import { today } from '../../../today.ts'
import { standingIn, sumOf, totalsOf } from '../../money/invoices/invoices.ts'
import { chargesOf, spreadIds } from '../../money/lots/lots.ts'
import { termsOf } from '../../money/parties/parties.ts'
import { memberRows, type Period, requirePeriod, totalsOverEach } from '../energy/energy.ts'

type Document = Awaited<ReturnType<typeof standingIn>>[number]
type Buyer = Assembly['buyers'][number]
type Producer = Assembly['producers'][number]
type Energy = { wh: number; valueCents: number | null }

const wattMinutesOf = (wh: number) => Math.round(wh * 60)

/** What each participant was given of the local energy, and what it is worth at the price of the operation. */
async function energyOf(db: Db, actor: Actor, operationId: string, period: Period): Promise<Map<string, Energy>> {
  const rows = await memberRows(db, actor, { ...period, operationId })
  const drawn = rows.filter(({ direction, storage }) => direction === 'consumption' && !storage)
  return new Map(
    [...Map.groupBy(drawn, ({ participantId }) => participantId)].map(([id, own]) => [
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

async function namesOf(db: Db, companyId: number, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await db
    .select({ id: participants.id, name: participants.name })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function buyerOf(
  id: string,
  name: string,
  own: Document[],
  energy: Energy | undefined,
  supplierPrice: number | null,
): Buyer {
  const { gross: billed, open, overdue, credit } = totalsOf(own, today())
  const left = open - credit
  const { wh = null, valueCents = null } = energy ?? {}
  const known = supplierPrice !== null && wh !== null && valueCents !== null
  const saved = known ? savedCents(wattMinutesOf(wh), supplierPrice, valueCents) : null
  return { id, name, wh, billed, settled: billed - left, open: left, overdue, saved }
}

const soldBy = (documents: Document[]) =>
  Map.groupBy(
    documents.filter(({ buyerId, kind }) => buyerId !== null && kind !== 'statement'),
    ({ sellerId }) => sellerId,
  )
/** Who sells energy; whoever asks for memberships and fees alone has no roof. */
const isProducer = ([, own]: [string, Document[]]) => own.some(({ wh }) => wh !== 0)

/** What was invoiced beside the energy, and is nothing that a roof earned. */
const feeNotes = (documents: Document[]): string[] =>
  [...soldBy(documents)]
    .filter((one) => !isProducer(one))
    .map(
      ([, own]) =>
        `${euros(sumOf(own).gross)} TTC d’adhésions et de frais facturés par ${own.at(-1)?.seller ?? ''} ne sont pas comptés dans ce que la toiture a rapporté.`,
    )

function producersOf(documents: Document[]): Producer[] {
  const producers = [...soldBy(documents)].filter(isProducer).map(([id, own]): Producer => {
    const fees = sumOf(documents.filter(({ clientSellerId }) => clientSellerId === id)).gross
    const sums = sumOf(own)
    return { id, name: own.at(-1)?.seller ?? '', ...sums, fees, earned: sums.gross - fees }
  })
  return producers.sort((a, b) => b.earned - a.earned || a.name.localeCompare(b.name, 'fr'))
}

/** What would make these figures less than whole. */
function notesOf(energy: Totals | null, supplierPrice: number | null, buyers: Buyer[]): string[] {
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
        ? [`Le prix de l’énergie locale n’est pas connu pour ${plural(unpriced, 'participant', 'participants')}.`]
        : []),
  ]
}

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)

/** What an assembly votes on, for some days of supply: paid as of today. */
export async function assemblyOf(
  db: Db,
  { config }: Pick<Deps, 'config'>,
  actor: Actor,
  operationId: string,
  asked: Period,
): Promise<Assembly> {
  const period = requirePeriod(asked)
  const operation = await findOperation(db, actor, operationId)
  const { supplierPrice, surplusPrice } = await termsOf(db, actor.companyId, operationId)
  const [energy = null] = await totalsOverEach(db, actor, config, operationId, [period])
  const documents = await standingIn(db, actor, { ...period, operationId })
  const given = await energyOf(db, actor, operationId, period)
  const ids = [...new Set([...given.keys(), ...documents.flatMap(({ buyerId }) => buyerId ?? [])])]
  const names = await namesOf(db, actor.companyId, ids)
  const buyers = ids
    .map((id) => {
      const own = documents.filter(({ buyerId }) => buyerId === id)
      return buyerOf(id, names.get(id) ?? '', own, energy === null ? undefined : given.get(id), supplierPrice)
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'fr'))
  const producers = producersOf(documents)
  const spread = await spreadIds(db, actor)
  const lots: Assembly['lots'] = []
  for (const { id } of buyers) if (spread.has(id)) lots.push(await chargesOf(db, actor, id, period))
  const known = buyers.flatMap(({ saved }) => saved ?? [])
  return {
    operation: { id: operation.id, name: operation.name },
    ...period,
    on: today(),
    energy,
    supplierPrice,
    surplusPrice,
    buyers,
    totals: {
      billed: sum(buyers, ({ billed }) => billed),
      settled: sum(buyers, ({ settled }) => settled),
      open: sum(buyers, ({ open }) => open),
      overdue: sum(buyers, ({ overdue }) => overdue),
      saved: known.length ? sum(known, (cents) => cents) : null,
    },
    producers,
    earned: sum(producers, ({ earned }) => earned),
    surplus:
      energy === null || surplusPrice === null ? null : savedCents(wattMinutesOf(energy.surplus), surplusPrice, 0),
    lots,
    notes: [...notesOf(energy, supplierPrice, buyers), ...feeNotes(documents)],
  }
}
