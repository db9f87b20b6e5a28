import type { ParticipantLine } from '@voisol/contract/participants'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { expandBatteryLine } from './batteries.ts'
import { type EnrolmentData, loadEnrolmentData } from './enrol-known.ts'
import { getPointKey, type PlannedLine, type PlanLinesOptions as PlanOptions, planLines } from './enrol-plan.ts'
import { storePlannedLines } from './enrol-store.ts'
import { lockEnrolments } from './rules.ts'

/** Plans an enrolment under a lock until the transaction ends, so that the plan stays valid. */
export async function planEnrolment(
  tx: Db,
  actor: Actor,
  operationId: string,
  lines: ParticipantLine[],
  { startsOn, numbers }: { startsOn: string; numbers: number[] },
) {
  const { companyId } = actor
  await lockEnrolments(tx, companyId)
  return planExpandedLines(await loadEnrolmentData(tx, actor, operationId, lines), lines, {
    companyId,
    startsOn,
    numbers,
  })
}

/** Plans the lines, with one plan per direction of each line. */
export function planExpandedLines(
  known: EnrolmentData,
  lines: ParticipantLine[],
  { numbers, ...options }: PlanOptions,
): PlannedLine[][] {
  const sides = lines.flatMap((line, i) =>
    expandBatteryLine(line).map((side) => ({ side, i, number: numbers[i] ?? i + 1 })),
  )
  const planned = planLines(
    known,
    sides.map(({ side }) => side),
    { ...options, numbers: sides.map(({ number }) => number) },
  )
  return lines.map((_, i) => mergeDirections(planned.filter((_, at) => sides[at]?.i === i)))
}

/** Merges the plans of a line: for a battery both directions are accepted, or neither. */
function mergeDirections(sides: PlannedLine[]): PlannedLine[] {
  const refused = sides.find(({ outcome }) => outcome === 'refused')
  return refused ? [refused] : sides
}

/**
 * Enrols participants: known ones are matched by e-mail, SIREN or name and address, others are created, and likewise
 * their points. All lines or none; every wrong one is named. Returns the points by `prm direction`.
 */
export async function enrolParticipants(
  tx: Db,
  actor: Actor,
  operationId: string,
  lines: ParticipantLine[],
  startsOn: string,
): Promise<Map<string, string>> {
  const numbers = lines.map((_, i) => i + 1)
  const byLine = await planEnrolment(tx, actor, operationId, lines, { startsOn, numbers })
  const issues = byLine.flatMap((sides, i) =>
    sides.flatMap(({ faults }) =>
      faults.map(({ field, message }) => ({ path: `participants.${i}.${field}`, message })),
    ),
  )
  if (issues.length) throw new AppError('invalid', { issues })
  const planned = byLine.flat()
  await storePlannedLines(tx, actor.companyId, operationId, planned)
  return new Map(planned.flatMap((line) => ('point' in line ? [[getPointKey(line.line), line.point.row.id]] : [])))
}
