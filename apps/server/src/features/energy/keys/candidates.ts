import type { Method } from '@voisol/contract/primitives'
import { checkKey } from '@voisol/energy/keys'
import { proportionalShares } from '@voisol/energy/shares'
import { sql } from 'drizzle-orm'
import { engineKey, keepPoints } from '../../../core/engine-key.ts'
import { type KeyVersion, loadKeys, type Share } from '../../../core/key-versions.ts'
import { METHOD_LABELS } from '../../../core/labels.ts'
import { type Member, subPeriods } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { curveDays } from './check.ts'

/** A way to share that is tried on the operation's history. */
export type Candidate = { keyId: string | null; label: string; version: KeyVersion }
type Subject = { companyId: number; operationId: string; from: string; to: string; members: Member[] }

/** What each consumer drew while it was in the operation, in watt-minutes. */
async function consumptions(db: Db, { companyId, operationId, from, to }: Subject): Promise<[string, number][]> {
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

const share = (pointId: string, value: number | null, rank: number | null): Share => ({
  pointId,
  producerId: null,
  share: value,
  rank,
})

const latestWith = (versions: KeyVersion[], has: (share: Share) => boolean) => {
  const adopted = versions.filter((version) => version.status === 'adopted')
  return [...versions, ...adopted].findLast(({ shares }) => shares.some(has))
}

type Basis = { shares: Share[]; words: string }

/** The shares of the key where it has some; else each consumer's part of the consumption of the period. */
function sharesBasis(versions: KeyVersion[], drawn: [string, number][]): Basis {
  const own = latestWith(versions, (s) => s.share !== null && s.producerId === null)
  if (own) return { shares: own.shares, words: `parts de la version ${own.number}` }
  const parts = proportionalShares(drawn.map(([, energy]) => energy))
  return {
    shares: drawn.map(([id], at) => share(id, parts[at] ?? 0, null)),
    words: 'parts selon la consommation de la période',
  }
}

/** The ranks of the key where it has some; else those who draw least come first. */
function ranksBasis(versions: KeyVersion[], drawn: [string, number][]): Basis {
  const own = latestWith(versions, ({ rank }) => rank !== null)
  if (own) return { shares: own.shares, words: `rangs de la version ${own.number}` }
  return {
    shares: drawn.map(([id], at) => share(id, null, at + 1)),
    words: 'rangs par consommation croissante',
  }
}

/** A key made for other members may sum to more than the whole among these. */
function fits({ version }: Candidate, { members, from, to }: Subject): boolean {
  if (version.method === 'simple' || version.method === 'complete') return true
  const key = engineKey(version, [])
  return subPeriods(members, { from, to }).every(({ consumers, producers }) =>
    checkKey(keepPoints(key, consumers, producers), consumers, producers).every(({ code }) => code !== 'over'),
  )
}

/** Every method, and each version that could come into force or brings coefficients of its own. */
export async function candidatesOf(db: Db, subject: Subject): Promise<Candidate[]> {
  const versions = await loadKeys(db, subject.companyId, subject.operationId)
  const drawn = await consumptions(db, subject)
  const shares = sharesBasis(versions, drawn)
  const ranks = ranksBasis(versions, drawn)
  const plain = (method: Method, basis?: Basis): Candidate => ({
    keyId: null,
    label: basis ? `${METHOD_LABELS[method]} (${basis.words})` : METHOD_LABELS[method],
    version: pseudo(subject, method, basis?.shares ?? []),
  })
  const methods = [
    plain('static', shares),
    plain('default'),
    plain('priority', ranks),
    plain('redistributed', shares),
    plain('equal'),
  ]
  const own: Candidate[] = []
  for (const version of versions) {
    const curves = version.method === 'simple' || version.method === 'complete'
    const given = curves && (version.shares.length > 0 || (await curveDays(db, version)) !== undefined)
    if (version.status === 'draft' ? !curves || given : given) own.push(asCandidate(version))
  }
  return [...methods, ...own].filter((candidate) => fits(candidate, subject))
}

const asCandidate = (version: KeyVersion): Candidate => ({
  keyId: version.id,
  label: `Version ${version.number}${version.status === 'draft' ? ' (brouillon)' : ''}\u00a0: ${METHOD_LABELS[version.method]}`,
  version,
})

const pseudo = ({ companyId, operationId, from }: Subject, method: Method, shares: Share[]): KeyVersion => ({
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
