import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSepaAmount, isSepaId, isSepaText, toSepaText } from './sepa-rules.ts'

test.each([
  ['Éloïse Lefèvre-Çınar', 'Eloise Lefevre-Cinar'],
  ['Société « L’Œuf & Ægir »', "Societe L'OEuf + AEgir"],
  ['Straße 12 — Łódź', 'Strasse 12 - Lodz'],
  ['//Facture  SOL2026-00042//', 'Facture SOL2026-00042'],
  ['a//b_c@d', 'a/b-c(at)d'],
  ['日本 😀 Durand', 'Durand'],
  ['de\u0301compose\u0301\n\tet\u00a0insécable', 'decompose et insecable'],
])('%s is written %s', (text, written) => {
  expect(toSepaText(text)).toBe(written)
})

test('a long text is cut, never after a slash or a space', () => {
  expect(toSepaText('Madame Anne-Sophie de la Rochefoucauld', 22)).toBe('Madame Anne-Sophie de')
  expect(toSepaText('abc/def', 4)).toBe('abc')
})

/** Any character, and more often those that banks treat specially. */
const letters = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 0xffff }), fc.constantFrom(...Buffer.from("/ &@_Az9'"))), {
    maxLength: 200,
  })
  .map((codes) => String.fromCharCode(...codes))

test('any text becomes allowed, short enough, and stable when converted again', () => {
  fc.assert(
    fc.property(letters, fc.integer({ min: 1, max: 140 }), (text, most) => {
      const written = toSepaText(text, most)
      expect(isSepaText(written)).toBe(true)
      expect(written.length).toBeLessThanOrEqual(most)
      expect(written).not.toMatch(/^[/ ]|[/ ]$|\/\/| {2}/)
      expect(toSepaText(written, most)).toBe(written)
    }),
  )
})

test('a reference has at most 35 characters and no reserved slash', () => {
  expect(isSepaId('RUM-2026-0007')).toBe(true)
  expect(isSepaId('A'.repeat(35))).toBe(true)
  for (const bad of ['', 'A'.repeat(36), '/A', 'A/', 'A//B', ' A', 'É1', 'A_B']) expect(isSepaId(bad)).toBe(false)
})

test('amounts are positive integers of cents', () => {
  expect(formatSepaAmount(1)).toBe('0.01')
  expect(formatSepaAmount(1_234_507)).toBe('12345.07')
  expect(formatSepaAmount(99_999_999_999)).toBe('999999999.99')
  for (const bad of [0, -5, 10.5, Number.NaN, 100_000_000_000]) expect(() => formatSepaAmount(bad)).toThrow(RangeError)
})
