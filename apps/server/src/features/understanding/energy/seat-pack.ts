/** In watt-minutes: energy read for a participation, the part counted by runs in force, and its local part. */
export type ParticipationSum = { energy: number; total: number; local: number }

const ID_BYTES = 16
const NUMBERS_PER_SUM = 3
const SHORT_BYTES = 4
const SHORT_LIMIT = 2 ** 31

/** The key of an id in packed lists: its bytes in hexadecimal. */
export const toPackedKey = (id: string): string => id.replaceAll('-', '')

/** The ids of a packed list, in order. */
export function readPackedKeys(seats: Buffer): string[] {
  const all = seats.toString('hex')
  return Array.from({ length: seats.length / ID_BYTES }, (_, n) => all.slice(n * 2 * ID_BYTES, (n + 1) * 2 * ID_BYTES))
}

export type PackedParticipationSums = { seats: Buffer; packed: Buffer }

/** 4-byte integers when all values fit, otherwise 8-byte floats. */
export function packParticipationSums(sums: Iterable<[string, ParticipationSum]>): PackedParticipationSums {
  const all = [...sums]
  const numbers = all.flatMap(([, { energy, total, local }]) => [energy, total, local])
  const short = numbers.every((value) => Math.abs(value) < SHORT_LIMIT)
  return {
    seats: Buffer.from(all.map(([key]) => key).join(''), 'hex'),
    packed: Buffer.from((short ? Int32Array.from(numbers) : Float64Array.from(numbers)).buffer),
  }
}

/**
 * Adds packed sums to those of each participation. The positions are kept, since consecutive lists are nearly always
 * equal.
 */
export function createPackedSumAdder(placeOf: (key: string) => number | undefined, sums: Float64Array) {
  let places: (number | undefined)[] = []
  return ({ seats, packed }: { seats: Buffer | null; packed: Buffer }): void => {
    if (seats) places = readPackedKeys(seats).map(placeOf)
    const short = packed.length === places.length * NUMBERS_PER_SUM * SHORT_BYTES
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let n = 0; n < places.length; n++) {
      const place = places[n]
      if (place === undefined) continue
      for (let number = 0; number < NUMBERS_PER_SUM; number++) {
        const at = n * NUMBERS_PER_SUM + number
        const to = place * NUMBERS_PER_SUM + number
        sums[to] = (sums[to] ?? 0) + (short ? view.getInt32(at * 4, true) : view.getFloat64(at * 8, true))
      }
    }
  }
}

export const createParticipationSums = (count: number) => new Float64Array(count * NUMBERS_PER_SUM)

export const getParticipationSum = (sums: Float64Array, at: number): ParticipationSum => ({
  energy: sums[at * NUMBERS_PER_SUM] ?? 0,
  total: sums[at * NUMBERS_PER_SUM + 1] ?? 0,
  local: sums[at * NUMBERS_PER_SUM + 2] ?? 0,
})

export function addParticipationSumAt(
  sums: Float64Array,
  at: number,
  { energy, total, local }: ParticipationSum,
): void {
  for (const [number, value] of [energy, total, local].entries()) {
    const to = at * NUMBERS_PER_SUM + number
    sums[to] = (sums[to] ?? 0) + value
  }
}

export const addParticipationSums = (one: ParticipationSum, more: ParticipationSum): ParticipationSum => ({
  energy: one.energy + more.energy,
  total: one.total + more.total,
  local: one.local + more.local,
})
