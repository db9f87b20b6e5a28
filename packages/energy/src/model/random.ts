/** A 32-bit number for a seed: text is hashed once here, so that inner loops only mix integers. */
export function toSeed(seed: string | number): number {
  if (typeof seed === 'number') return hashIntegers(0x9e3779b9, seed)
  let value = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) value = Math.imul(value ^ seed.charCodeAt(i), 0x01000193)
  return hashIntegers(value, seed.length)
}

const mixHash = (value: number, word: number): number => {
  const scrambled = Math.imul(word, 0xcc9e2d51)
  const next = value ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593)
  return Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64
}

/** Murmur3 over three integers: the same numbers give the same result on every machine. */
export function hashIntegers(seed: number, a: number, b = 0, c = 0): number {
  let value = mixHash(mixHash(mixHash(seed, a), b), c)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Even in [0, 1). */
export const drawUniform = (seed: number, a: number, b = 0, c = 0): number => hashIntegers(seed, a, b, c) / 4294967296

const BYTES_DEVIATION = Math.sqrt((256 * 256 - 1) / 3)

/**
 * Mean 0, deviation 1, never beyond ±3.46: the sum of four bytes, without a logarithm that JavaScript engines might
 * round differently.
 */
export function drawBell(seed: number, a: number, b = 0, c = 0): number {
  const word = hashIntegers(seed, a, b, c)
  const sum = (word >>> 24) + ((word >>> 16) & 255) + ((word >>> 8) & 255) + (word & 255)
  return (sum - 510) / BYTES_DEVIATION
}

/** A bell-shaped value that drifts from one whole `x` to the next, of deviation 1 everywhere. */
export function drawDrift(seed: number, channel: number, x: number): number {
  const knot = Math.floor(x)
  const part = x - knot
  const weight = part * part * (3 - 2 * part)
  const value = drawBell(seed, channel, knot) * (1 - weight) + drawBell(seed, channel, knot + 1) * weight
  return value / Math.sqrt(weight * weight + (1 - weight) * (1 - weight))
}

/** Even in [0, 1) for a seed and any number of integers. */
export const drawNoise = (seed: string | number, ...ints: number[]): number =>
  ints.reduce((value, int) => hashIntegers(value, int), toSeed(seed)) / 4294967296
