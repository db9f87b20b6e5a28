import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { GLOSSARY } from './glossary-screen.tsx'

const ROOT = join(import.meta.dirname, '../../../../../../..')
/** What a participant reads that is the portal's own. */
const SOURCES = [
  'apps/web/src/features/analytics/energy/portal/*.{ts,tsx}',
  'packages/contract/src/{side-texts,month-sentences}.ts',
  'apps/web/src/features/{portal/visits,portal/closure,analytics/explanations}/*.{ts,tsx}',
  'apps/web/src/features/*/*/{portal,portal-*,own-*}.tsx',
  'apps/web/src/features/{portal/joining/departure,accounting/declarations/my-annual-statements}.tsx',
  'apps/web/src/features/identity/profile/{account-security,sections}.tsx',
]
/** As many as a reader holds in mind; a hole of a template counts as a word. */
const MAX_SENTENCE_WORDS = 25

type Node = { type: string; start: number; end: number; value?: unknown; quasis?: unknown; expressions?: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const unescapeUnicode = (text: string) =>
  text.replace(/\\u\{?([\da-f]{4})\}?/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A template is one text, whatever stands in its holes. */
function collectTexts(node: unknown, code: string, found: string[] = []): string[] {
  if (Array.isArray(node)) for (const one of node) collectTexts(one, code, found)
  else if (isNode(node)) {
    if (node.type === 'TemplateLiteral')
      found.push(code.slice(node.start + 1, node.end - 1).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…'))
    else if (node.type === 'JSXText') found.push(code.slice(node.start, node.end).replace(/&(?:#160|nbsp);/g, '\u00a0'))
    else if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    for (const part of Object.values(node)) if (typeof part === 'object') collectTexts(part, code, found)
  }
  return found
}

/** Names of classes, paths and keys are no French; a sentence has a space and a letter with which French begins words. */
const isFrench = (text: string) =>
  /\p{L}+[ \u00a0]\p{L}+/u.test(text) && /[A-ZÀ-Ý’éèàêç]/.test(text) && !/[[\]=>]|-\[|sm:/.test(text)

const paths = globSync(SOURCES, { cwd: ROOT }).filter((path) => !/\.test\.tsx?$/.test(path))
const texts = paths.flatMap((path) => {
  const code = readFileSync(join(ROOT, path), 'utf8')
  return collectTexts(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), code)
    .map((text) => unescapeUnicode(text).replace(/\s+/g, ' ').trim())
    .filter(isFrench)
    .map((text) => ({ path, text }))
})

const splitSentences = (text: string) => text.split(/(?<=[.!?…])[ \u00a0]+(?=[A-ZÀ-Ý«…])|[;:][ \u00a0]/)
const countWords = (sentence: string) => sentence.split(/[ \u00a0’]+/).filter((word) => /[\p{L}\d…]/u.test(word)).length

test('the texts were found', () => {
  expect(paths.length).toBeGreaterThan(35)
  expect(texts.length).toBeGreaterThan(250)
})

test('no sentence of the portal is longer than a breath', () => {
  const long = texts.flatMap(({ path, text }) =>
    splitSentences(text)
      .filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS)
      .map((sentence) => `${path} (${countWords(sentence)}) ${sentence}`),
  )
  expect(long).toEqual([])
})

/** Words of the trade. Those that have a plain word are not said; the others are in the glossary. */
const FORBIDDEN_TERMS = [
  /\bTURPE\b/,
  /\bsoutirage/i,
  /\binjection\b/i,
  /\ballocations?\b/i,
  /\ballocatair/i,
  /\bautoconsommation\b/i,
  /\bautoproduction\b/i,
  /\bcourbe de charge\b/i,
  /\bcomplément\b/i,
  /\bPMO\b/,
  /\bACC\b/,
]
const TERMS: Record<string, RegExp> = {
  'Énergie locale': /énergie locale/i,
  Opération: /\bopérations?\b/i,
  Organisateur: /\borganisateur/i,
  Répartition: /\brépartition\b/i,
  'Clé de répartition': /\bclé de répartition/i,
  Surplus: /\bsurplus\b/i,
  'Sans preneur': /sans preneur/i,
  PRM: /\bPRM\b/,
  'CO₂': /CO₂/,
  'Hors taxes': /hors taxes/i,
  IBAN: /\bIBAN\b/,
  Mandat: /\bmandats?\b/i,
  RUM: /\bRUM\b/,
  Jeton: /\bjetons?\b/i,
  'Clé d’accès': /clés? d’accès/i,
  'Double authentification': /double authentification/i,
  Provisoire: /\bprovisoires?\b/i,
  Définitif: /\bdéfinitifs?\b/i,
}

test('words of the trade that have a plain one are not said', () => {
  const said = texts.filter(({ text }) => FORBIDDEN_TERMS.some((word) => word.test(text)))
  expect(said.map(({ path, text }) => `${path} ${text}`)).toEqual([])
})

test('the others are explained, in short sentences that need no other', () => {
  const known = new Set(GLOSSARY.map(({ term }) => term))
  const spoken = Object.entries(TERMS).filter(([, word]) =>
    texts.some(({ path, text }) => !path.endsWith('glossary.ts') && word.test(text)),
  )
  expect(spoken.length).toBeGreaterThan(10)
  expect(spoken.map(([term]) => term).filter((term) => !known.has(term))).toEqual([])
  for (const { meaning } of GLOSSARY)
    for (const sentence of splitSentences(meaning)) expect(countWords(sentence), sentence).toBeLessThanOrEqual(20)
})
