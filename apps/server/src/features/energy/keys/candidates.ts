import type { AllocationMethod } from '@voisol/contract/primitives'
import { findKeyProblems } from '@voisol/energy/keys'
import { computeProportionalShares } from '@voisol/energy/shares'
import { sql } from 'drizzle-orm'
import { restrictKeyToPoints, toEngineKey } from '../../../core/engine-key.ts'
import { type KeyVersion, type KeyVersionShare, loadKeys } from '../../../core/key-versions.ts'
import { KEY_METHOD_LABELS } from '../../../core/labels.ts'
import { buildSubPeriods, type OperationMember } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { loadCoefficientRange } from './check.ts'

/** A key simulated on the operation's history. */
export type KeyCandidate = { keyId: string | null; label: string; version: KeyVersion }
type ComparisonSubject = {
  companyId: number
  operationId: string
  from: string
  to: string
  members: OperationMember[]
}

/** Consumption of each consumer during its participation, in watt-minutes. */
async function loadConsumptions(
  db: Db,
  { companyId, operationId, from, to }: ComparisonSubject,
): Promise<[string, number][]> {
  const { rows } = await db.execute<{ id: string; energy: string }>(sql`
    select d.point_id as id, sum(d.energy) as energy
      from participations m
      join points p on p.company_id = m.company_id and p.id = m.point_id and p.direction = 'consumption'
      join curve_days d on d.company_id = m.company_id and d.point_id = m.point_id and d.superseded_at is null
     where m.company_id = ${companyId} and m.operation_id = ${operationId} and d.day >= ${from} and d.day < ${to}
       and d.day >= m.starts_on and (m.ends_on is null or d.day < m.ends_on)
     group by 1 order by 2, 1`)
  return rows.map(({ id, energy }) => [id, Number(energy)])
}

const toShare = (pointId: string, value: number | null, rank: number | null): KeyVersionShare => ({
  pointId,
  producerId: null,
  share: value,
  rank,
})

const findLatestVersionWith = (versions: KeyVersion[], has: (share: KeyVersionShare) => boolean) => {
  const adopted = versions.filter((version) => version.status === 'adopted')
  return [...versions, ...adopted].findLast(({ shares }) => shares.some(has))
}

type ShareBasis = { shares: KeyVersionShare[]; words: string }

/** The shares of the key if it has some, otherwise each consumer's part of the consumption. */
function getSharesBasis(versions: KeyVersion[], drawn: [string, number][]): ShareBasis {
  const own = findLatestVersionWith(versions, (s) => s.share !== null && s.producerId === null)
  if (own) return { shares: own.shares, words: `parts de la version ${own.number}` }
  const parts = computeProportionalShares(drawn.map(([, energy]) => energy))
  return {
    shares: drawn.map(([id], at) => toShare(id, parts[at] ?? 0, null)),
    words: 'parts selon la consommation de la période',
  }
}

/** The ranks of the key if it has some, otherwise the smallest consumers first. */
function getRanksBasis(versions: KeyVersion[], drawn: [string, number][]): ShareBasis {
  const own = findLatestVersionWith(versions, ({ rank }) => rank !== null)
  if (own) return { shares: own.shares, words: `rangs de la version ${own.number}` }
  return {
    shares: drawn.map(([id], at) => toShare(id, null, at + 1)),
    words: 'rangs par consommation croissante',
  }
}

/** A key made for other members may exceed 100 % among these. */
function isApplicable({ version }: KeyCandidate, { members, from, to }: ComparisonSubject): boolean {
  if (version.method === 'simple' || version.method === 'complete') return true
  const key = toEngineKey(version, [])
  return buildSubPeriods(members, { from, to }).every(({ consumers, producers }) =>
    findKeyProblems(restrictKeyToPoints(key, consumers, producers), consumers, producers).every(
      ({ code }) => code !== 'over',
    ),
  )
}

/** Every method, and each version that could be adopted or has its own coefficients. */
export async function listKeyCandidates(db: Db, subject: ComparisonSubject): Promise<KeyCandidate[]> {
  const versions = await loadKeys(db, subject.companyId, subject.operationId)
  const consumptionByPoint = await loadConsumptions(db, subject)
  const shares = getSharesBasis(versions, consumptionByPoint)
  const ranks = getRanksBasis(versions, consumptionByPoint)
  const toMethodCandidate = (method: AllocationMethod, basis?: ShareBasis): KeyCandidate => ({
    keyId: null,
    label: basis ? `${KEY_METHOD_LABELS[method]} (${basis.words})` : KEY_METHOD_LABELS[method],
    version: buildUnsavedVersion(subject, method, basis?.shares ?? []),
  })
  const methods = [
    toMethodCandidate('static', shares),
    toMethodCandidate('default'),
    toMethodCandidate('priority', ranks),
    toMethodCandidate('redistributed', shares),
    toMethodCandidate('equal'),
  ]
  const own: KeyCandidate[] = []
  for (const version of versions) {
    const curves = version.method === 'simple' || version.method === 'complete'
    const hasCoefficients =
      curves && (version.shares.length > 0 || (await loadCoefficientRange(db, version)) !== undefined)
    if (version.status === 'draft' ? !curves || hasCoefficients : hasCoefficients) own.push(toKeyCandidate(version))
  }
  return [...methods, ...own].filter((candidate) => isApplicable(candidate, subject))
}

const toKeyCandidate = (version: KeyVersion): KeyCandidate => ({
  keyId: version.id,
  label: `Version ${version.number}${version.status === 'draft' ? ' (brouillon)' : ''}\u00a0: ${KEY_METHOD_LABELS[version.method]}`,
  version,
})

const buildUnsavedVersion = (
  { companyId, operationId, from }: ComparisonSubject,
  method: AllocationMethod,
  shares: KeyVersionShare[],
): KeyVersion => ({
  companyId,
  operationId,
  method,
  shares,
  id: '',
  number: 0,
  label: '',
  status: 'draft',
  startsOn: from,
  decimals: 1,
  createdAt: new Date(0),
  version: 1,
})
