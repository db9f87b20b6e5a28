import type { MemberCompleteness } from '@voisol/contract/allocations'
import { listDays } from '@voisol/energy/calendar'
import { formatCount, formatPercent } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import { loadUncoveredDays } from '../../../core/allocation-keys.ts'
import { formatMemberName } from '../../../core/operation-members.ts'
import { buildGaps, countGapDays, countGapSteps, type DayGap, formatGaps } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import type { RunRow, StoredSignOff } from './allocation-runs.ts'
import { type MemberReadingLevels, mergeMemberLevels } from './reading-levels.ts'
import type { RunInput } from './run-input.ts'

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
const indexMembersById = ({ members }: Pick<RunInput, 'members'>) =>
  new Map(members.map((member) => [member.pointId, member]))

/**
 * Beyond this a definitive run needs a person's sign-off. A missing reading, coefficient or key day always does, since
 * it would move energy between neighbours. Values estimated by the distributor are billed by everyone, so a small share
 * is accepted.
 */
const MAX_ESTIMATED_SHARE = 0.05

type MemberShortfall = { pointId: string; gaps: DayGap[]; steps: number; estimated: number }

type MissingDayRow = { pointId: string; day: string }

/** Days with missing readings, whole or partial, from the counts stored per day. */
async function loadMissingDays(db: Db, input: RunInput): Promise<Map<string, DayGap[]>> {
  const { companyId, members, from, to } = input
  const clipped = members.map(({ pointId, startsOn, endsOn }) => ({
    pointId,
    lo: startsOn > from ? startsOn : from,
    hi: endsOn !== null && endsOn < to ? endsOn : to,
  }))
  const { rows } = await db.execute<MissingDayRow>(sql`
    select m.point_id as "pointId", d.day::date::text as day
      from unnest(${sql.param(clipped.map(({ pointId }) => pointId))}::uuid[],
                  ${sql.param(clipped.map(({ lo }) => lo))}::date[],
                  ${sql.param(clipped.map(({ hi }) => hi))}::date[]) as m(point_id, lo, hi)
      cross join lateral generate_series(m.lo, m.hi - 1, interval '1 day') as d(day)
      left join curve_days c on c.company_id = ${companyId} and c.point_id = m.point_id and c.day = d.day::date
       and c.superseded_at is null
     where c.day is null or c.present < c.expected
     order by 1, 2`)
  const byPoint = Map.groupBy(rows, ({ pointId }) => pointId)
  return new Map([...byPoint].map(([id, days]) => [id, buildGaps(days.map(({ day }) => ({ day, steps: 1 })))]))
}

type EstimatedCount = { pointId: string; estimated: number; steps: number }

/** For each member, the readings that the distributor estimated, and their total number. */
async function countDistributorEstimates(
  db: Db,
  { companyId, consumers, producers, from, to }: RunInput,
): Promise<EstimatedCount[]> {
  const { rows } = await db.execute<EstimatedCount>(sql`
    select point_id as "pointId", sum(present)::int as steps,
           sum(case when quality < 3 then 0 when marks is null then present else (
             select count(*) from generate_series(0, length(marks) - 1) at where get_byte(marks, at) = 3) end)::int as estimated
      from curve_days
     where company_id = ${companyId} and point_id = any(${sql.param([...consumers, ...producers])}::uuid[])
       and day >= ${from} and day < ${to} and superseded_at is null
     group by 1 having max(quality) = 3`)
  return rows
}

const getMemberRoleLabel = (member: { direction: string; storage: boolean } | undefined) => {
  const injects = member?.direction === 'production'
  if (member?.storage) return injects ? 'Décharge de la batterie' : 'Charge de la batterie'
  return injects ? 'Producteur' : 'Consommateur'
}

function describeMemberShortfalls({ members }: RunInput, all: MemberShortfall[]): string[] {
  const known = indexMembersById({ members })
  return all.flatMap(({ pointId, gaps, steps, estimated }) => {
    const member = known.get(pointId)
    const name = member ? formatMemberName(member) : pointId
    const who = getMemberRoleLabel(member)
    const missingSentences = gaps.length
      ? [
          `${who} ${name}\u00a0: relevés manquants sur ${formatCount(countGapDays(gaps), 'jour', 'jours')}, ${formatGaps(gaps)}.`,
        ]
      : []
    const estimatedSentences =
      steps > 0 && estimated / steps > MAX_ESTIMATED_SHARE
        ? [
            `${who} ${name}\u00a0: ${formatPercent(estimated / steps)} de ses relevés sont des estimations du distributeur.`,
          ]
        : []
    return [...missingSentences, ...estimatedSentences]
  })
}

const describeUncoveredSteps = (uncovered: DayGap[]) =>
  uncovered.length
    ? [
        `Clé de répartition\u00a0: aucun coefficient sur ${formatCount(countGapDays(uncovered), 'jour', 'jours')} (${formatCount(countGapSteps(uncovered), 'pas', 'pas')}), ${formatGaps(uncovered)}\u00a0; la règle par défaut, au prorata des consommations, s’y applique.`,
      ]
    : []

/** Days without a key in force. */
function describeDaysWithoutKey({ keys, from, to }: RunInput): string[] {
  const hasKeyOn = (day: string) => keys.some((key) => key.from <= day && key.to > day)
  const daysWithoutKey = buildGaps(listDays(from, to).map((day) => ({ day, steps: hasKeyOn(day) ? 0 : 1 })))
  return daysWithoutKey.length
    ? [
        `Clé de répartition\u00a0: aucune version en vigueur sur ${formatCount(countGapDays(daysWithoutKey), 'jour', 'jours')}, ${formatGaps(daysWithoutKey)}.`,
      ]
    : []
}

/** Before a run: what would be missing, from the counts stored per day. */
export async function predictShortfall(db: Db, input: RunInput): Promise<string[]> {
  const gaps = await loadMissingDays(db, input)
  const guesses = new Map((await countDistributorEstimates(db, input)).map((row) => [row.pointId, row]))
  const ids = [...input.producers, ...input.consumers]
  const members = ids.map((pointId) => ({
    ...(guesses.get(pointId) ?? { steps: 0, estimated: 0 }),
    pointId,
    gaps: gaps.get(pointId) ?? [],
  }))
  const uncovered = await loadUncoveredDays(db, input, input.keys, input)
  return [
    ...describeMemberShortfalls(input, members),
    ...describeDaysWithoutKey(input),
    ...describeUncoveredSteps(uncovered),
  ]
}

/** After a run: what was missing in its actual input. */
export const describeShortfall = (input: RunInput, { members, uncovered }: RunCompleteness): string[] => [
  ...describeMemberShortfalls(input, members),
  ...describeDaysWithoutKey(input),
  ...describeUncoveredSteps(uncovered),
]

const MAX_LISTED_SHORTFALLS = 12

/** The error that asks for a person's sign-off. */
function buildIncompleteError(missing: string[]): AppError {
  const listed = missing.slice(0, MAX_LISTED_SHORTFALLS)
  const more = missing.length - listed.length
  const rest = more > 0 ? [`Et ${formatCount(more, 'autre manque', 'autres manques')}.`] : []
  const message = [
    'Un calcul définitif sert à facturer, et ces données sont incomplètes.',
    ...listed,
    ...rest,
    'Complétez-les, ou confirmez le calcul en donnant votre raison.',
  ].join(' ')
  return new AppError('incomplete', { message, issues: missing.map((text) => ({ path: 'signOff', message: text })) })
}

/** Who asks for a run; nobody for the product itself. */
export type RunAuthor = Pick<Actor, 'kind' | 'userId' | 'keyId' | 'firstName' | 'lastName' | 'email'> | null

/** A definitive run is somebody's decision: nothing that the product does by itself makes one. */
export function requireRunAuthor(author: RunAuthor): asserts author is NonNullable<RunAuthor> {
  if (!author)
    throw new AppError('conflict', {
      message: 'Un calcul définitif est décidé par une personne\u00a0: il ne se lance pas de lui-même.',
    })
}

/** The word of the person who goes on without what is missing. */
export function buildSignOff(
  author: RunAuthor,
  missing: string[],
  given: { reason: string } | undefined,
  inputHash: string,
) {
  if (!missing.length) return null
  if (!given) throw buildIncompleteError(missing)
  requireRunAuthor(author)
  if (author.kind !== 'person')
    throw fieldError('signOff', 'Seule une personne connectée peut confirmer un calcul sur des données incomplètes.')
  const by = `${author.firstName} ${author.lastName}`.trim() || author.email
  const signOff: StoredSignOff = {
    reason: given.reason,
    by,
    at: new Date().toISOString(),
    missing,
    userId: author.userId,
    inputHash,
  }
  return signOff
}

const CHANGED_SINCE_SIGN_OFF_MESSAGE =
  'Les données ont changé depuis que le calcul a été confirmé\u00a0: relancez-le, ce qui manque encore vous sera montré.'

/** At the end of a definitive run: what it rests on is complete, or is what somebody has confirmed. */
export function requireSignOff(run: RunRow, input: RunInput, completeness: RunCompleteness, hash: string): void {
  if (run.kind !== 'definitive') return
  const signOff = run.signOff as StoredSignOff | null // written by `signedOff`
  if (signOff && signOff.inputHash !== hash) throw new AppError('conflict', { message: CHANGED_SINCE_SIGN_OFF_MESSAGE })
  const missing = signOff ? [] : describeShortfall(input, completeness)
  if (missing.length) throw buildIncompleteError(missing)
}
