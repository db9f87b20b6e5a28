import type { MemberCompleteness } from '@voisol/contract/allocations'
import { sql } from 'drizzle-orm'
import type { DayGap } from '../../../core/gaps.ts'
import type { Db } from '../../../db/client.ts'
import type { RunInput } from './input.ts'
import { type MemberReadingLevels, mergeMemberLevels } from './levels.ts'
import type { RunRow } from './runs.ts'

/** The data quality of a run, as stored with it. */
export type RunCompleteness = { members: MemberReadingLevels[]; uncovered: DayGap[] }

export const createEmptyCompleteness = (): RunCompleteness => ({ members: [], uncovered: [] })

/** Adds a part of the run that directly follows those before it. */
export function addCompleteness(all: RunCompleteness, part: RunCompleteness): void {
  for (const own of part.members) {
    const at = all.members.findIndex(({ pointId }) => pointId === own.pointId)
    const before = all.members[at]
    if (before) all.members[at] = mergeMemberLevels(before, own)
    else all.members.push(own)
  }
  for (const gap of part.uncovered) {
    const last = all.uncovered.at(-1)
    if (last && last.to === gap.from && last.steps === gap.steps) last.to = gap.to
    else all.uncovered.push({ ...gap })
  }
}

type MemberIdentity = Pick<MemberCompleteness, 'pointId' | 'prm' | 'label' | 'holder' | 'direction'>
type MemberIdentityRow = MemberIdentity & { storage: boolean }

async function loadMemberIdentities(
  db: Db,
  { companyId, operationId, startsOn, endsOn }: RunRow,
): Promise<Map<string, MemberIdentity>> {
  const { rows } = await db.execute<MemberIdentityRow>(sql`
    select distinct on (p.id) p.id as "pointId", p.prm, p.label, h.name as holder, p.direction, p.storage
      from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id
      join participants h on h.company_id = m.company_id and h.id = m.participant_id
     where m.company_id = ${companyId} and m.operation_id = ${operationId} and m.starts_on < ${endsOn}
       and (m.ends_on is null or m.ends_on > ${startsOn})
     order by p.id, m.starts_on desc`)
  return new Map(rows.map(({ storage, ...row }) => [row.pointId, { ...row, ...(storage && { storage }) }]))
}

const listLackCounts = ({ missing, profile, own, estimated }: MemberReadingLevels) => [missing, profile, own, estimated]
const compareByLack = (a: MemberReadingLevels, b: MemberReadingLevels) => {
  const others = listLackCounts(b)
  return listLackCounts(a).reduce((order, value, at) => order || (others[at] ?? 0) - value, 0)
}

/** By member, those with the most missing data first. */
export async function loadRunCompleteness(db: Db, run: RunRow) {
  const stored = run.completeness as RunCompleteness | null // written by the run in this shape
  if (!stored) return { members: null, uncovered: [] }
  const identities = await loadMemberIdentities(db, run)
  const members = stored.members.toSorted(compareByLack).flatMap((own) => {
    const identity = identities.get(own.pointId)
    return identity ? [{ ...own, ...identity }] : []
  })
  return { members, uncovered: stored.uncovered }
}

/** The members of a run by point id, as they were when it was requested. */
export const indexMembersById = ({ members }: Pick<RunInput, 'members'>) =>
  new Map(members.map((member) => [member.pointId, member]))
