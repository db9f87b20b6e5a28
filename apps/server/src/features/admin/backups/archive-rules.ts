import { formatShare, WHOLE_SHARE } from '@voisol/energy/keys'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { ArchiveRow } from '../../../db/schema/company-archive/company-archive.ts'

/** Where a row stands in its archive. */
export type RowPlace = { file: string; number: number }
type RuleFault = { place: RowPlace; sentence: string }
/** A rule that several rows keep together, of one table or of more: it takes each of them, and answers once all are read. */
type ArchiveRule = { tables: string[]; add: (table: string, row: ArchiveRow, place: RowPlace) => void } & {
  findFault: () => RuleFault | undefined
}

const NO_END = '9999-12-31'
type PlacedPeriod = { startsOn: string; endsOn: string; place: RowPlace }
const toPeriod = ({ starts_on, ends_on }: ArchiveRow, place: RowPlace): PlacedPeriod => ({
  startsOn: String(starts_on),
  endsOn: ends_on === null ? NO_END : String(ends_on),
  place,
})

/** As the index `operations_acc_number`, before anything is written. */
function createAccNumberRule(): ArchiveRule {
  const seen = new Set<unknown>()
  let fault: RuleFault | undefined
  return {
    tables: ['operations'],
    add(_, { acc_number }, place) {
      if (acc_number !== null && seen.has(acc_number))
        fault ??= { place, sentence: `le numéro ${acc_number} est déjà celui d’une autre opération de l’archive.` }
      seen.add(acc_number)
    },
    findFault: () => fault,
  }
}

function appendTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** A point takes part in one operation at a time, with one holder at a time. */
function createParticipationRule(): ArchiveRule {
  const byPoint = new Map<string, PlacedPeriod[]>()
  return {
    tables: ['participations'],
    add: (_, row, place) => appendTo(byPoint, String(row.point_id), toPeriod(row, place)),
    findFault() {
      for (const periods of byPoint.values()) {
        periods.sort((a, b) => a.startsOn.localeCompare(b.startsOn))
        for (const [at, { startsOn, place }] of periods.entries()) {
          const before = periods[at - 1]
          if (before && before.endsOn > startsOn)
            return {
              place,
              sentence: `ce point prend déjà part à une opération le ${formatFrenchDay(startsOn)} (${before.place.file}, ligne ${before.place.number}).`,
            }
        }
      }
      return undefined
    },
  }
}

type AdoptedKey = { id: string; method: string; startsOn: string; number: number; place: RowPlace }
type PooledShare = { pointId: string; share: number | null }
const POOLED_METHODS = ['static', 'redistributed']

/** The largest sum of the shares of those who take part at the same time, from one day to another. */
function findLargestSum(shares: PooledShare[], periods: Map<string, PlacedPeriod[]>, from: string, to: string): number {
  const changes = shares.flatMap(({ pointId, share }) =>
    (periods.get(pointId) ?? [])
      .filter(({ startsOn, endsOn }) => startsOn < to && endsOn > from)
      .flatMap(({ startsOn, endsOn }) => [
        { day: startsOn, by: share ?? 0 },
        { day: endsOn, by: -(share ?? 0) },
      ]),
  )
  // On one day, those who leave make room for those who enter.
  changes.sort((a, b) => a.day.localeCompare(b.day) || a.by - b.by)
  let [sum, largest] = [0, 0]
  for (const { by } of changes) {
    sum += by
    largest = Math.max(largest, sum)
  }
  return largest
}

/** An adopted key gives every point that it names its share, and those who take part together no more than all there is. */
function createAdoptedKeyRule(): ArchiveRule {
  const keysOf = new Map<string, AdoptedKey[]>()
  const sharesOf = new Map<string, PooledShare[]>()
  const periodsOf = new Map<string, Map<string, PlacedPeriod[]>>()
  const add: ArchiveRule['add'] = (table, row, place) => {
    const operationId = String(row.operation_id)
    if (table === 'participations') {
      const periods = periodsOf.get(operationId) ?? new Map<string, PlacedPeriod[]>()
      appendTo(periods, String(row.point_id), toPeriod(row, place))
      periodsOf.set(operationId, periods)
    } else if (table === 'keys' && row.status === 'adopted') {
      const { id, method, starts_on, number } = row as Record<string, string> // parsed as such
      const key = { id: String(id), method: String(method), startsOn: String(starts_on), number: Number(number), place }
      appendTo(keysOf, operationId, key)
    } else if (table === 'key_shares' && row.producer_id === null)
      appendTo(sharesOf, String(row.key_id), { pointId: String(row.point_id), share: row.share as number | null }) // likewise
  }

  function describeFault({ id, startsOn }: AdoptedKey, operationId: string, endsOn: string): string | undefined {
    const shares = sharesOf.get(id) ?? []
    if (shares.some(({ share }) => share === null)) return 'cette clé est adoptée, et un de ses points n’a pas de part.'
    const total = shares.reduce((sum, { share }) => sum + (share ?? 0), 0)
    if (total === 0) return 'cette clé est adoptée, et ne donne de part à aucun point.'
    if (total <= WHOLE_SHARE) return undefined
    const sum = findLargestSum(shares, periodsOf.get(operationId) ?? new Map(), startsOn, endsOn)
    return sum > WHOLE_SHARE
      ? `cette clé est adoptée, et ses parts font ${formatShare(sum)}, au-delà de ${formatShare(WHOLE_SHARE)}.`
      : undefined
  }

  return {
    tables: ['keys', 'key_shares', 'participations'],
    add,
    findFault() {
      for (const [operationId, versions] of keysOf) {
        versions.sort((a, b) => a.startsOn.localeCompare(b.startsOn) || a.number - b.number)
        for (const [at, key] of versions.entries()) {
          const sentence =
            POOLED_METHODS.includes(key.method) && describeFault(key, operationId, versions[at + 1]?.startsOn ?? NO_END)
          if (sentence) return { place: key.place, sentence }
        }
      }
      return undefined
    },
  }
}

/** Rules over several rows of an archive, as the API holds them at each of its writes. */
export function createArchiveRules() {
  const rules = [createAccNumberRule(), createParticipationRule(), createAdoptedKeyRule()]
  return {
    add(table: string, row: ArchiveRow, place: RowPlace): void {
      for (const rule of rules) if (rule.tables.includes(table)) rule.add(table, row, place)
    },
    findFault(): RuleFault | undefined {
      for (const rule of rules) {
        const fault = rule.findFault()
        if (fault) return fault
      }
      return undefined
    },
  }
}
