import type { KeyDetail, KeyProblem } from '@voisol/contract/keys'
import { addMonths, daysBetween, monthOf } from '@voisol/energy/calendar'
import { type AllocationKey, type KeyProblem as Found, findKeyProblems } from '@voisol/energy/keys'
import type { Step } from '@voisol/energy/series'
import { formatCount, formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq, max, min } from 'drizzle-orm'
import type { z } from 'zod'
import {
  getKeyVersionPeriod,
  type KeyVersion,
  loadKeyCurves,
  loadUncoveredDays,
  restrictKeyToPoints,
  toEngineKey,
  usesCoefficientCurves,
} from '../../../core/allocation-keys.ts'
import {
  buildSubPeriods,
  formatMemberName,
  listOperationMembers,
  type OpenPeriod,
  type OperationMember,
  type SubPeriod,
} from '../../../core/operation-members.ts'
import { countGapDays, countGapSteps, formatGaps } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { keyCoefficients } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

type KeyProblemView = z.infer<typeof KeyProblem>

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const formatSpan = ({ from, to }: OpenPeriod) =>
  to === null
    ? ` À partir du ${formatFrenchDay(from)}.`
    : ` Du ${formatFrenchDay(from)} au ${formatFrenchDay(to)} exclu.`

/** Coefficient files may arrive after the key is adopted; shares must be complete at adoption. */
function getSeverity(key: AllocationKey, { code }: Found): KeyProblemView['severity'] {
  if (key.method === 'simple') return code === 'empty' || code === 'missing-point' ? 'warning' : 'refused'
  if (key.method === 'complete') return code === 'missing-point' ? 'warning' : 'refused'
  return 'refused'
}

function getProblemMessage(key: AllocationKey, found: Found): string {
  if (key.method === 'simple' && found.code === 'empty')
    return 'Aucun coefficient n’a été importé : la clé par défaut, au prorata des consommations, s’applique.'
  if (key.method === 'complete' && found.code === 'missing-point')
    return `${found.message} La règle par défaut, au prorata des consommations, s’applique à sa production.`
  if (found.code === 'missing-point') return `${found.message} Écrivez 0 pour ne rien lui attribuer.`
  return found.message
}

/** A problem that lasts is reported once, with the first days it occurs. */
function mergeProblems(
  found: { part: SubPeriod; key: AllocationKey; problem: Found }[],
  several: boolean,
  names: Map<string, string>,
) {
  const seen = new Map<string, KeyProblemView>()
  for (const { part, key, problem } of found) {
    const id = `${problem.code} ${problem.pointId ?? (problem.code === 'empty' ? '' : problem.message)}`
    if (seen.has(id)) continue
    const plain = getProblemMessage(key, problem).replace(UUID, (id) => names.get(id) ?? id)
    const when = several && problem.code !== 'empty' ? formatSpan(part) : ''
    seen.set(id, { severity: getSeverity(key, problem), message: `${plain}${when}` })
  }
  return [...seen.values()]
}

function findPointsOutsideOperation(
  key: KeyVersion,
  members: OperationMember[],
  names: Map<string, string>,
): KeyProblemView[] {
  const known = { consumption: new Set<string>(), production: new Set<string>() }
  for (const { direction, pointId } of members) known[direction].add(pointId)
  const ids = [
    ...key.shares.filter(({ pointId }) => !known.consumption.has(pointId)).map(({ pointId }) => pointId),
    ...key.shares.flatMap(({ producerId }) => (producerId && !known.production.has(producerId) ? [producerId] : [])),
  ]
  return [...new Set(ids)].map((id) => ({
    severity: 'refused',
    message: `Le point ${names.get(id) ?? id} ne participe pas à l’opération tant que cette version est en vigueur.`,
  }))
}

type KeyCheckContext = { members: OperationMember[]; span: OpenPeriod; step: Step; names: Map<string, string> }

/** Problems of a version, checked for every period between two entries or exits. */
export async function checkKeyVersion(db: Db, key: KeyVersion, facts: KeyCheckContext): Promise<KeyProblemView[]> {
  const { members, span, step } = facts
  const names = new Map([
    ...facts.names,
    ...members.map((member) => [member.pointId, formatMemberName(member)] as const),
  ])
  if (key.method === 'default' || key.method === 'equal') return []
  const parts = buildSubPeriods(members, span).filter(({ consumers }) => consumers.length > 0)
  if (!parts.length)
    return [{ severity: 'refused', message: 'Aucun consommateur ne participe à l’opération à partir de cette date.' }]
  const found: { part: SubPeriod; key: AllocationKey; problem: Found }[] = []
  for (const part of parts)
    for await (const whole of streamEngineKeys(db, key, part, step)) {
      const own = restrictKeyToPoints(whole, part.consumers, part.producers)
      const problems = findKeyProblems(own, part.consumers, part.producers)
      const empty = key.method === 'simple' && problems.some(({ code }) => code === 'empty')
      for (const problem of problems)
        if (!empty || problem.code !== 'missing-point') found.push({ part, key: own, problem })
    }
  return [...findPointsOutsideOperation(key, members, names), ...mergeProblems(found, parts.length > 1, names)]
}

/** Yields one key without curves, or one per month with curves. */
async function* streamEngineKeys(db: Db, key: KeyVersion, part: OpenPeriod, step: Step): AsyncGenerator<AllocationKey> {
  const days = usesCoefficientCurves(key) ? await loadCoefficientRange(db, key) : undefined
  const first = days && days.from > part.from ? days.from : part.from
  const last = days && (part.to === null || days.to < part.to) ? days.to : part.to
  if (!days || last === null || first >= last) {
    // Files arrive month by month: days not covered yet are no problem of the key.
    if (!days || key.shares.length > 0) yield toEngineKey(key, [])
    return
  }
  for (let month = monthOf(first); month < last; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    const within = { from: month > first ? month : first, to: next < last ? next : last }
    yield toEngineKey(key, await loadKeyCurves(db, key, within, step))
  }
}

export async function loadCoefficientRange(db: Db, key: KeyVersion): Promise<{ from: string; to: string } | undefined> {
  const day = keyCoefficients.day
  const [row] = await db
    .select({ from: min(day), last: max(day) })
    .from(keyCoefficients)
    .where(and(eq(keyCoefficients.companyId, key.companyId), eq(keyCoefficients.keyId, key.id)))
  if (!row?.from || !row.last) return undefined
  return { from: row.from, to: Temporal.PlainDate.from(row.last).add({ days: 1 }).toString() }
}

type UncoveredDays = KeyDetail['uncovered']
const maxDay = (a: string, b: string) => (a > b ? a : b)

/** Days without coefficients in a version's files, among past days and those the files reach. */
export async function loadUncoveredDaysOfKey(
  db: Db,
  version: KeyVersion,
  all: KeyVersion[],
  step: number,
): Promise<UncoveredDays> {
  const known = usesCoefficientCurves(version) ? await loadCoefficientRange(db, version) : undefined
  if (!known) return null
  const { from, to: end } = getKeyVersionPeriod(version, all)
  const reach = maxDay(getToday(), known.to)
  const to = end !== null && end < reach ? end : reach
  if (from >= to) return null
  const members = await listOperationMembers(db, version.companyId, version.operationId, { from, to })
  const setting = { step: step as Step, members } // the column only stores these steps
  const gaps = await loadUncoveredDays(db, setting, [{ version, from, to }], { from, to })
  return { from, to, days: countGapDays(gaps), steps: countGapSteps(gaps), gaps }
}

/** Shown before the version is adopted and as long as coefficients are missing. */
export function buildCoverageProblems(uncovered: UncoveredDays): KeyProblemView[] {
  if (!uncovered?.days) return []
  const { from, to, days, steps, gaps } = uncovered
  const message = `${formatCount(days, 'jour', 'jours')} sur ${daysBetween(from, to)} ${days < 2 ? 'manque' : 'manquent'} de coefficients (${formatCount(steps, 'pas', 'pas')})\u00a0: ${formatGaps(gaps)}. La règle par défaut, au prorata des consommations, s’y applique.`
  return [{ severity: 'warning', message }]
}
