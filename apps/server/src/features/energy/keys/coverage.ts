import type { KeyDetail } from '@voisol/contract/keys'
import { daysBetween } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import { needsCurves } from '../../../core/engine-key.ts'
import { daysIn, gapWords, stepsIn } from '../../../core/gaps.ts'
import { uncoveredDays } from '../../../core/key-coverage.ts'
import { type KeyVersion, spanOf } from '../../../core/key-versions.ts'
import { membersOf } from '../../../core/members.ts'
import type { Db } from '../../../db/client.ts'
import { plural } from '../../../french.ts'
import { today } from '../../../today.ts'
import { curveDays, type Problem } from './check.ts'

type Uncovered = KeyDetail['uncovered']
const later = (a: string, b: string) => (a > b ? a : b)

/** What the files of a version leave out of its days: of those that are over, and of those that its files reach. */
export async function uncoveredBy(db: Db, version: KeyVersion, all: KeyVersion[], step: number): Promise<Uncovered> {
  const known = needsCurves(version) ? await curveDays(db, version) : undefined
  if (!known) return null
  const { from, to: end } = spanOf(version, all)
  const reach = later(today(), known.to)
  const to = end !== null && end < reach ? end : reach
  if (from >= to) return null
  const members = await membersOf(db, version.companyId, version.operationId, { from, to })
  const setting = { step: step as Step, members } // the column holds only these steps
  const gaps = await uncoveredDays(db, setting, [{ version, from, to }], { from, to })
  return { from, to, days: daysIn(gaps), steps: stepsIn(gaps), gaps }
}

/** Told before the version is adopted, and for as long as it lasts. */
export function coverageProblems(uncovered: Uncovered): Problem[] {
  if (!uncovered?.days) return []
  const { from, to, days, steps, gaps } = uncovered
  const message = `${plural(days, 'jour', 'jours')} sur ${daysBetween(from, to)} ${days < 2 ? 'manque' : 'manquent'} de coefficients (${plural(steps, 'pas', 'pas')})\u00a0: ${gapWords(gaps)}. La règle par défaut, au prorata des consommations, s’y applique.`
  return [{ severity: 'warning', message }]
}
