import { drawNoise } from '@voisol/energy/model/random'

/** An account of nobody whose key is right. */
export function buildDemoIban(ref: string): string {
  const body = `3000699999${Array.from({ length: 13 }, (_, n) => Math.floor(drawNoise(`iban ${ref}`, n) * 10)).join('')}`
  const key = 98n - (BigInt(`${body}152700`) % 97n)
  return `FR${String(key).padStart(2, '0')}${body}`
}
