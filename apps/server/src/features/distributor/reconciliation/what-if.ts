import type { DifferenceCause } from '@voisol/contract/reconciliation'
import { type EffectiveKey, type KeyVersion, loadKeys } from '../../../core/key-versions.ts'
import type { Db } from '../../../db/client.ts'
import { loadRunInput, type RunInput, streamRunParts } from '../../energy/allocations/allocations.ts'
import type { OperationPeriod } from './asked.ts'
import { type ByDay, indexByPointAndDay } from './day-figures.ts'
import type { Memberships } from './memberships.ts'

/** Recomputed energy by day in watt-minutes, and the cause that it would prove. */
export type WhatIf = { cause: DifferenceCause; days: ByDay<number> }

const EARLIEST_DAY = '0001-01-01'

/**
 * Recomputes the days with the distributor's dates, which are known, then with neighbouring versions of the key, which
 * are assumptions: a result equal to the distributor's figures proves the assumption.
 */
export async function* computeWhatIfs(
  db: Db,
  companyId: number,
  period: OperationPeriod & { estimated: boolean },
  memberships: Memberships,
): AsyncGenerator<WhatIf> {
  const input = await loadRunInput(db, { companyId, ...period })
  const members = buildDistributorMembers(input, memberships)
  if (members) yield { cause: 'membership-dates', days: await computeByDay(db, { ...input, members }) }
  const versions = (await loadKeys(db, companyId, period.operationId))
    .filter(({ status }) => status === 'adopted')
    .sort((a, b) => a.startsOn.localeCompare(b.startsOn) || a.number - b.number)
  for (const keys of buildOtherKeys(input.keys, versions)) {
    yield { cause: 'key-version', days: await computeByDay(db, { ...input, keys }) }
  }
}

/** Replaces each version in force by the previous one, then by the next one, and leaves the others unchanged. */
function buildOtherKeys(effectiveKeys: EffectiveKey[], versions: KeyVersion[]): EffectiveKey[][] {
  return effectiveKeys.flatMap((own, at) => {
    const place = versions.findIndex(({ id }) => id === own.version.id)
    return [versions[place - 1], versions[place + 1]].flatMap((other) =>
      other ? [effectiveKeys.map((key, n) => (n === at ? { ...key, version: other } : key))] : [],
    )
  })
}

/** Undefined when the distributor's dates are unknown or equal to ours. */
function buildDistributorMembers({ members, from, to }: RunInput, { inTheirs, theirDates }: Memberships) {
  if (inTheirs('', from) === null) return undefined
  const changed = members.flatMap((member) => {
    const own = theirDates(member.pointId)
    return own ? [{ ...member, startsOn: own.startsOn ?? EARLIEST_DAY, endsOn: own.endsOn }] : []
  })
  const clip = ({ startsOn, endsOn }: { startsOn: string; endsOn: string | null }) =>
    [startsOn > from ? startsOn : from, endsOn !== null && endsOn < to ? endsOn : to].join()
  const once = [...new Map(changed.map((member) => [member.pointId, member])).values()]
  const toComparable = (list: typeof members) =>
    list
      .map((member) => `${member.pointId} ${clip(member)}`)
      .sort()
      .join(';')
  return toComparable(once) !== toComparable(members) ? once : undefined
}

async function computeByDay(db: Db, input: RunInput): Promise<ByDay<number>> {
  const rows = []
  for await (const { days } of streamRunParts(db, input))
    for (const { pointId, day, local } of days) rows.push({ pointId, day, local })
  return indexByPointAndDay(rows, ({ local }) => local)
}
