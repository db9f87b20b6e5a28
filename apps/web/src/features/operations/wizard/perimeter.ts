import { checkPerimeter, type PerimeterProblem } from '@voisol/energy/perimeter'
import { parseNumber } from '../../../lib/format.ts'
import { parsePosition } from '../../../lib/position.ts'
import { type Draft, isBlank } from './draft.ts'

const wattsOf = (text: string) => Math.round((parseNumber(text) ?? 0) * 1000)

/** That of the plants once they are known, else the declared one. */
export function powerOf({ producers, capacity }: Pick<Draft, 'producers' | 'capacity'>) {
  const plants = producers.filter((row) => !isBlank(row)).reduce((sum, { kwc }) => sum + wattsOf(kwc), 0)
  return { plants, declared: wattsOf(capacity), watts: plants || wattsOf(capacity) }
}

export const placesOf = ({ producers, consumers }: Pick<Draft, 'producers' | 'consumers'>) =>
  [...producers, ...consumers]
    .filter((row) => !isBlank(row))
    .map((row, at) => {
      const { latitude, longitude } = parsePosition(row.position) ?? { latitude: Number.NaN, longitude: Number.NaN }
      return { id: String(at), label: row.name, latitude, longitude }
    })

/** What the rules say of the draft as it stands. */
export const findingsOf = (draft: Draft): PerimeterProblem[] =>
  checkPerimeter({
    perimeter: draft.perimeter,
    zone: draft.zone,
    points: placesOf(draft),
    watts: powerOf(draft).watts,
  })

/** A refusal is told where it can be mended: at the declared power, at the plants, or at the places. */
export function refusalsOf(draft: Draft, cause: 'declared' | 'plants' | 'distance'): { message: string }[] {
  const { plants, declared } = powerOf(draft)
  const { perimeter, zone } = draft
  const points = cause === 'distance' ? placesOf(draft) : []
  const watts = { declared, plants, distance: 0 }[cause]
  return checkPerimeter({ perimeter, zone, points, watts })
    .filter(({ severity }) => severity === 'refused')
    .map(({ message, rule }) => ({ message: `${message.replace(/\.$/, '')} (${rule}).` }))
}
