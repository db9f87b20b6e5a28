import type { KeyDetail } from '@voisol/contract/keys'
import { daysBetween } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { usesCoefficientCurves } from '../../../core/engine-key.ts'
import { countGapDays, countGapSteps, formatGaps } from '../../../core/gaps.ts'
import { loadUncoveredDays } from '../../../core/key-coverage.ts'
import { getKeyVersionPeriod, type KeyVersion } from '../../../core/key-versions.ts'
import { listOperationMembers } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { formatCount } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import { type KeyProblemView, loadCoefficientRange } from './check.ts'

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
