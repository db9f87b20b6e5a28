import type { DeclaredReading } from './schemas.ts'
import type { SimulatedMeter } from './world.ts'

const getReadingKey = (prm: string, direction: string, day: string) => `${prm} ${direction} ${day}`

/** Overlays declared late or corrected days on the readings of a meter. */
export function createReadingOverlay(readings: DeclaredReading[]): (meter: SimulatedMeter) => SimulatedMeter {
  const declared = Map.groupBy(
    readings.map(({ from, ...rest }) => ({ ...rest, from: Date.parse(from) })).sort((a, b) => a.from - b.from),
    ({ prm, direction, day }) => getReadingKey(prm, direction, day),
  )
  return (meter) => {
    const over =
      (read: SimulatedMeter['read']): SimulatedMeter['read'] =>
      (day, at) => {
        const own = declared.size ? declared.get(getReadingKey(meter.prm, meter.direction, day)) : undefined
        if (own?.some(({ watts, from }) => watts === null && at < from)) return null
        const last = own?.findLast(({ watts, from }) => watts !== null && at >= from)
        return last?.watts ? { watts: Int32Array.from(last.watts), quality: 2 } : read(day, at)
      }
    return { ...meter, read: over(meter.read), whole: over(meter.whole) }
  }
}
