import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const SOURCES = ['apps/{web,server}/src/**/*.{ts,tsx}', 'packages/contract/src/**/*.ts', 'apps/server/content/**/*.md']

/** Calques, anglicisms and turns of phrase that nobody says aloud. */
const BANNED = [
  /font foi pour (?:\$\{|\d)/,
  /est tombée? à/,
  /si rien d[’']autre n[’']est dit/,
  /\ben charge de\b/,
  /\bbasée?s? sur\b/i,
  /\b(?:digital|digitale|digitaux)\b/i,
  /\bfeedback\b/i,
  /\breporting\b/i,
  /\bmonitorer\b/i,
  /\bimplémenter?\b/i,
  /\bbooster\b/i,
  /\bdeadline\b/i,
  /\bsuite à\b/i,
  /\bau final\b/i,
  /\b(?:un|le|ce) jeton (?:déjà|remplacé|expiré)/i,
  /\bse supprime\b/i,
  /\bsont reçus\./,
]
/** Cut before a vowel with a typewriter's apostrophe, inside a text that somebody reads. */
const STRAIGHT =
  /(?:["`>][^"`<]*|^[^"`<]*)(?<![\p{L}\\])(?:[ldjnsmtc]|qu|jusqu|lorsqu|aujourd)'(?=[aeiouyhéèêàâîôû])[^"`>]*["`<]/iu

/** Written so by the specification. */
const PRESCRIBED = ['apps/web/src/shells/splash.tsx']

const lines = globSync(SOURCES, { cwd: ROOT })
  .filter((path) => !/\.test\.tsx?$|-corpus\.ts$|\/sandbox\//.test(path) && !PRESCRIBED.includes(path))
  .flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .map((text, index) => ({ where: `${path}:${index + 1}`, text })),
  )
  // Comments are English, and nobody who uses the product reads them.
  .filter(({ text }) => !/^\s*(?:\/\/|\/?\*)/.test(text))

const guilty = (rules: RegExp[]) =>
  lines.filter(({ text }) => rules.some((rule) => rule.test(text))).map(({ where, text }) => `${where} ${text.trim()}`)

test('the sources were found', () => {
  expect(lines.length).toBeGreaterThan(50_000)
})

test('no text says what nobody would say', () => {
  expect(guilty(BANNED)).toEqual([])
})

test('apostrophes of French texts are typographic', () => {
  expect(guilty([STRAIGHT])).toEqual([])
  expect(STRAIGHT.test('title: "L\'énergie de l\'immeuble"')).toBe(true)
  expect(STRAIGHT.test("<p>Initialisation de l'application</p>")).toBe(true)
})
