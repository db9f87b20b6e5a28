import { drawNoise } from '@voisol/energy/model/random'

/** A fictitious IBAN with valid check digits. */
export function buildDemoIban(ref: string): string {
  const body = `3000699999${Array.from({ length: 13 }, (_, n) => Math.floor(drawNoise(`iban ${ref}`, n) * 10)).join('')}`
  const key = 98n - (BigInt(`${body}152700`) % 97n)
  return `FR${String(key).padStart(2, '0')}${body}`
}
