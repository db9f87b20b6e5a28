import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const SOURCES = [
  'apps/{web,server}/src/**/*.{ts,tsx}',
  'apps/simulator/src/demo/*.ts',
  'packages/{contract,documents,file-formats}/src/**/*.ts',
  'apps/server/content/**/*.md',
]

/** Calques, anglicisms and turns of phrase that nobody says aloud. */
const BANNED = [
  /font foi pour (?:\$\{|\d)/,
  /est tombée? à/,
  /si rien d[’']autre n[’']est dit/,
  /\ben charge de\b/,
  /\bbasée?s? sur\b/i,
  /\b(?:digital|digitale|digitaux)\b/i,
  /\bfeedback\b/i,
  // « E-reporting » is what the law calls the duty.
  /(?<!e-)\breporting\b/i,
  /\bmonitorer\b/i,
  /\bimplémenter?\b/i,
  /\bbooster\b/i,
  /\bdeadline\b/i,
  /\bsuite à\b/i,
  /\bau final\b/i,
  /\b(?:un|le|ce) jeton (?:déjà|remplacé|expiré)/i,
  /\bse supprime\b/i,
  /\bsont reçus\./,
  /\bviennent en moins\b/,
  /\bne répond à ce(?:s|tte) (?:filtres|critères|recherche)\b/,
  /\bfont vivre cet écran\b/,
  /\bconditions valent\b/,
  /\bn’a rien rendu\b/,
]
/** Cut before a vowel with a typewriter's apostrophe, inside a text that somebody reads. */
const STRAIGHT =
  /(?:["`>][^"`<]*|^[^"`<]*)(?<![\p{L}\\])(?:[ldjnsmtc]|qu|jusqu|lorsqu|aujourd)'(?=[aeiouyhéèêàâîôû])[^"`>]*["`<]/iu

/** Written so by the specification. */
const PRESCRIBED = ['apps/web/src/app/shells/splash.tsx']

const paths = globSync(SOURCES, { cwd: ROOT }).filter((path) => !/\.test\.tsx?$|-corpus\.ts$/.test(path))
const lines = paths
  .filter((path) => !PRESCRIBED.includes(path))
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

/** A space that a line may break at, before « : ; ! ? » and inside the quotes. Between digits it is typed, not read. */
const BREAKS = /(?<=\S) (?=[;!?»:](?:[\s.,)…'"`$<]|$))(?!; \d)|(?<=«) |^ (?=[;!?:] )/
/** Two titles as the specification writes them, and what is typed or pasted as it stands. */
const AS_TYPED = ['Déconnexion réussie !', 'Démonstration confirmée !', 'Nom ; Profil ; kWh par an', ' ; ']

type Node = { type: string; start: number; end: number; value?: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const isText = ({ type, value }: Node) =>
  type === 'TemplateElement' || type === 'JSXText' || (type === 'Literal' && typeof value === 'string')

function textsOf(node: unknown, code: string, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const one of node) textsOf(one, code, found)
  else if (isNode(node)) {
    if (isText(node)) found.push(code.slice(node.start, node.end))
    for (const part of Object.values(node)) if (typeof part === 'object') textsOf(part, code, found)
  }
  return found
}
const breaking = (texts: string[]) =>
  texts.filter((text) => BREAKS.test(text) && !AS_TYPED.some((typed) => text.includes(typed)))

test('no line breaks before a sign that French keeps with its word', () => {
  const guilty = paths.flatMap((path) => {
    const code = readFileSync(join(ROOT, path), 'utf8')
    if (path.endsWith('.md')) return breaking(code.split('\n')).map((text) => `${path} ${text}`)
    const lang = path.endsWith('x') ? 'tsx' : 'ts'
    return breaking(textsOf(parseAst(code, { lang }), code)).map((text) => `${path} ${text}`)
  })
  expect(guilty).toEqual([])
})

test('that rule sees templates, attributes and what stands between tags', () => {
  const seen = (code: string) => breaking(textsOf(parseAst(code, { lang: 'tsx' }), code)).length
  expect(seen(`const a = \`Total : \${b}\``)).toBe(1)
  expect(seen('const a = <p title="Pourquoi ?">Retour : {b}</p>')).toBe(2)
  expect(seen("const a = 'lancez « voisol »'")).toBe(1)
  expect(seen("const a = b ? 'oui' : 'non'")).toBe(0)
  expect(seen("const a = '45,7601 ; 4,8512'")).toBe(0)
})
