import { localTime } from '@voisol/energy/calendar'
import { toInstants } from './instants.ts'
import type { RawCurve, RawFile } from './raw.ts'
import type { CurveFileChoices, DetectedConventions, ReadingUnit, StampPosition, StampZone } from './types.ts'
import { findZoneEvidence } from './zone-evidence.ts'

/** `step` is what the person chose for the readings whose step the file does not say. */
export type ReadingConventions = Pick<
  DetectedConventions,
  'unit' | 'unitCertain' | 'stamp' | 'stampCertain' | 'zone' | 'zoneCertain'
> &
  Pick<CurveFileChoices, 'step'>

/**
 * Unit, convention and zone of a file: what the format fixes, else what the person chose, else what the data make likely,
 * which is a guess until the person has said so.
 */
export function resolveConventions(file: RawFile, choices: CurveFileChoices): ReadingConventions {
  const { zone, zoneCertain } = resolveZone(file, choices)
  const { step } = choices
  return {
    ...resolveUnit(file, choices),
    ...resolveStamp(file, choices, zone),
    zone,
    zoneCertain,
    ...(step && { step }),
  }
}

/** The unit of the curves that name none; each of the others keeps its own. */
function resolveUnit({ curves }: RawFile, choices: CurveFileChoices): Pick<ReadingConventions, 'unit' | 'unitCertain'> {
  const known = curves.find((curve) => curve.unit)?.unit
  const unknown = curves.filter((curve) => !curve.unit)
  if (known && unknown.length === 0) return { unit: known, unitCertain: true }
  if (choices.unit) return { unit: choices.unit, unitCertain: true }
  const unit: ReadingUnit = known ?? (unknown.some(hasDecimals) ? 'kW' : 'W')
  return { unit, unitCertain: false }
}

function hasDecimals({ values, length }: RawCurve): boolean {
  for (let at = 0; at < length; at++) {
    const value = values[at] ?? 0
    if (!Number.isNaN(value) && value % 1e9 !== 0) return true
  }
  return false
}

function resolveZone(
  { zoned, zone, curves }: RawFile,
  choices: CurveFileChoices,
): Pick<ReadingConventions, 'zone' | 'zoneCertain'> {
  if (zoned) return { zone: 'offset', zoneCertain: true }
  if (zone) return { zone, zoneCertain: true }
  if (choices.zone) return { zone: choices.zone, zoneCertain: true }
  const stamps = new Map(curves.map((curve) => [curve.stamps, curve.length]))
  const found = [...stamps].map(([local, length]) => findZoneEvidence(local, length)).filter((one) => one !== null)
  // One time that Paris does not have is enough to doubt the rest.
  const evidence = found.find(({ proof }) => !proof) ?? found[0]
  return { zone: evidence?.zone ?? 'Europe/Paris', zoneCertain: evidence?.proof ?? false }
}

/** The distributor writes whole days: there the first and the last stamp tell. Others cut where they like. */
const WHOLE_DAY_FORMATS: RawFile['format'][] = ['hdm', 'customer-csv']

/** Whole days run from 00:00 to before midnight when stamps open the interval, from after midnight to 00:00 when they close it. */
function resolveStamp(
  file: RawFile,
  choices: CurveFileChoices,
  zone: ReadingConventions['zone'],
): Pick<ReadingConventions, 'stamp' | 'stampCertain'> {
  if (file.stamp) return { stamp: file.stamp, stampCertain: true }
  if (choices.stamp) return { stamp: choices.stamp, stampCertain: true }
  const votes = { start: 0, end: 0 }
  for (const stamps of new Set(file.curves.map((curve) => curve.stamps))) {
    const length = file.curves.find((curve) => curve.stamps === stamps)?.length ?? 0
    const vote = voteForStamp(stamps, length, zone)
    if (vote) votes[vote]++
  }
  const whole = WHOLE_DAY_FORMATS.includes(file.format)
  if (votes.start > 0 !== votes.end > 0) return { stamp: votes.start > 0 ? 'start' : 'end', stampCertain: whole }
  const usual: StampPosition = whole ? 'end' : 'start'
  return { stamp: usual, stampCertain: false }
}

function voteForStamp(stamps: Int32Array, length: number, zone: ReadingConventions['zone']): StampPosition | null {
  if (length < 2) return null
  let [first, last] = [stamps[0] ?? 0, stamps[0] ?? 0]
  for (let at = 1; at < length; at++) {
    const minute = stamps[at] ?? 0
    if (minute < first) first = minute
    if (minute > last) last = minute
  }
  const clock = (minute: number) =>
    zone === 'Europe/Paris'
      ? ((minute % 1440) + 1440) % 1440
      : localTime(zone === '+01:00' ? minute - 60 : minute).minuteOfDay
  const [opens, closes] = [clock(first) === 0, clock(last) === 0]
  return opens === closes ? null : opens ? 'start' : 'end'
}

export function toCurveInstants(curve: RawCurve, settled: ReadingConventions): Int32Array {
  const zone: StampZone = settled.zone === 'offset' ? 'UTC' : settled.zone
  return toInstants(curve.stamps, curve.length, zone, settled.stamp)
}
