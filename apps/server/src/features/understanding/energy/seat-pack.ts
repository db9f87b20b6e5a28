/** In watt-minutes: what was read of a seat, what the runs in force count of it, and what of that is local. */
export type SeatSum = { energy: number; total: number; local: number }

const ID = 16
const NUMBERS = 3
const SHORT = 4
const MOST = 2 ** 31

/** What an id is known by in the packed lists: its bytes, written out. */
export const keyOf = (id: string): string => id.replaceAll('-', '')

/** The ids of a packed list, in their order. */
export function keysIn(seats: Buffer): string[] {
  const all = seats.toString('hex')
  return Array.from({ length: seats.length / ID }, (_, n) => all.slice(n * 2 * ID, (n + 1) * 2 * ID))
}

export type PackedSeats = { seats: Buffer; packed: Buffer }

/** Whole numbers of four bytes where all fit, else of eight. */
export function packSeats(sums: Iterable<[string, SeatSum]>): PackedSeats {
  const all = [...sums]
  const numbers = all.flatMap(([, { energy, total, local }]) => [energy, total, local])
  const short = numbers.every((value) => Math.abs(value) < MOST)
  return {
    seats: Buffer.from(all.map(([key]) => key).join(''), 'hex'),
    packed: Buffer.from((short ? Int32Array.from(numbers) : Float64Array.from(numbers)).buffer),
  }
}

/** Takes packed sums and adds each to those of its seat. The next list nearly always has the seats of the one before. */
export function seatAdder(placeOf: (key: string) => number | undefined, sums: Float64Array) {
  let places: (number | undefined)[] = []
  return ({ seats, packed }: { seats: Buffer | null; packed: Buffer }): void => {
    if (seats) places = keysIn(seats).map(placeOf)
    const short = packed.length === places.length * NUMBERS * SHORT
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let n = 0; n < places.length; n++) {
      const place = places[n]
      if (place === undefined) continue
      for (let number = 0; number < NUMBERS; number++) {
        const at = n * NUMBERS + number
        const to = place * NUMBERS + number
        sums[to] = (sums[to] ?? 0) + (short ? view.getInt32(at * 4, true) : view.getFloat64(at * 8, true))
      }
    }
  }
}

export const emptySeats = (count: number) => new Float64Array(count * NUMBERS)

export const seatSum = (sums: Float64Array, at: number): SeatSum => ({
  energy: sums[at * NUMBERS] ?? 0,
  total: sums[at * NUMBERS + 1] ?? 0,
  local: sums[at * NUMBERS + 2] ?? 0,
})

export function addSeat(sums: Float64Array, at: number, { energy, total, local }: SeatSum): void {
  for (const [number, value] of [energy, total, local].entries()) {
    const to = at * NUMBERS + number
    sums[to] = (sums[to] ?? 0) + value
  }
}

export const addSums = (one: SeatSum, more: SeatSum): SeatSum => ({
  energy: one.energy + more.energy,
  total: one.total + more.total,
  local: one.local + more.local,
})
