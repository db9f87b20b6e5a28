import { Block } from '@voisol/contract/prose'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { measureCpuMs } from '../../test/cpu-time.ts'
import { listHrefs, listProseImages, toPlainProse } from './inspect-prose.ts'
import { MAX_PROSE_LENGTH, parseProseBlocks, parseProseWithFaults } from './parse-prose.ts'
import { XSS_SAMPLES } from './xss-corpus.ts'

const text = (value: string) => ({ kind: 'text', text: value })
const IMAGE = '/api/site-images/00000000-0000-4000-8000-000000000000'

describe('ordinary Markdown', () => {
  test('becomes a tree of known parts', () => {
    expect(
      parseProseBlocks('Un **toit** et *deux*  \nvoisins `kWh`.\nSuite &amp; fin&nbsp;: [lire](/contact).'),
    ).toEqual([
      {
        kind: 'paragraph',
        children: [
          text('Un '),
          { kind: 'strong', children: [text('toit')] },
          text(' et '),
          { kind: 'emphasis', children: [text('deux')] },
          { kind: 'break' },
          text('voisins '),
          { kind: 'code', text: 'kWh' },
          text('. Suite & fin\u00a0: '),
          { kind: 'link', href: '/contact', children: [text('lire')] },
          text('.'),
        ],
      },
    ])
  })

  test('lists, quotes, tables, code and rules', () => {
    const [list, quote, table, code, rule] = parseProseBlocks(
      '1. un\n   - deux\n2. trois\n\n> dit\n\n| a | b |\n|:-:|--:|\n| 1 | **2** |\n\n```json\n{"a":1}\n```\n\n---\n',
    )
    expect(list).toMatchObject({ kind: 'list', ordered: true, items: [[{}, { kind: 'list', ordered: false }], [{}]] })
    expect(quote).toMatchObject({ kind: 'quote', blocks: [{ kind: 'paragraph' }] })
    expect(table).toMatchObject({ align: ['center', 'end'], head: [[text('a')], [text('b')]] })
    expect(code).toEqual({ kind: 'code', language: 'json', text: '{"a":1}' })
    expect(rule).toEqual({ kind: 'rule' })
  })

  test('headings get their own anchor, and leave the first level to the page', () => {
    const levels = (markdown: string) =>
      parseProseBlocks(markdown).map((block) => (block.kind === 'heading' ? [block.level, block.id] : block.kind))
    expect(levels('## L’été à Œuilly\n\n### L’été à Œuilly\n\n## 100 %\n\n## !')).toEqual([
      [2, 'l-ete-a-oeuilly'],
      [3, 'l-ete-a-oeuilly-2'],
      [2, '100'],
      [2, 'section'],
    ])
    expect(levels('# Un\n\n## Deux\n\n##### Cinq')).toEqual([
      [2, 'un'],
      [3, 'deux'],
      [4, 'cinq'],
    ])
  })

  test('an image is a block of its own, with its caption', () => {
    expect(parseProseBlocks(`Avant ![un toit](${IMAGE} "Le toit") après`)).toEqual([
      { kind: 'paragraph', children: [text('Avant ')] },
      { kind: 'image', src: IMAGE, alt: 'un toit', caption: 'Le toit' },
      { kind: 'paragraph', children: [text(' après')] },
    ])
    expect(listProseImages(parseProseBlocks('![a](/product/x.webp) ![b](/illustrations/y.svg)'))).toHaveLength(2)
    for (const src of [
      'https://ailleurs.fr/x.png',
      '/product/../api/x',
      'data:image/png;base64,AA',
      '/logo.png',
      '//x/y',
    ])
      expect(parseProseWithFaults(`![un toit](${src})`)).toMatchObject({
        blocks: [{ kind: 'paragraph', children: [text('un toit')] }],
        faults: [expect.stringContaining('un toit')],
      })
  })
})

describe('typed blocks', () => {
  test('notes, figures, steps and calls', () => {
    const { blocks, faults } = parseProseWithFaults(
      [
        ':::note À savoir',
        'Un **mot**.',
        '',
        ':::warning',
        'Attention',
        ':::',
        ':::',
        ':::figures',
        '- 2 | km | de distance',
        '- 96 |  | pas par jour',
        ':::',
        ':::steps',
        '### Choisir',
        'Texte',
        ':::example Exemple',
        'a',
        ':::',
        '### Signer',
        '- x',
        ':::',
        ':::call /contact | Parler',
        '## Votre projet',
        'Une **idée**',
        'à deux',
        ':::',
      ].join('\n'),
    )
    expect(faults).toEqual([])
    expect(blocks).toMatchObject([
      { kind: 'note', tone: 'info', title: 'À savoir', blocks: [{}, { kind: 'note', tone: 'warning', title: '' }] },
      {
        kind: 'figures',
        items: [
          { figure: '2', unit: 'km', label: 'de distance' },
          { figure: '96', unit: '', label: 'pas par jour' },
        ],
      },
      {
        kind: 'steps',
        items: [
          { title: 'Choisir', blocks: [{}, { kind: 'note', tone: 'example' }] },
          { title: 'Signer', blocks: [{ kind: 'list' }] },
        ],
      },
      { kind: 'call', title: 'Votre projet', text: 'Une idée à deux', label: 'Parler', href: '/contact' },
    ])
  })

  test.each([
    [':::nota Titre\ntexte\n:::', ':::nota Titre\ntexte\n:::', 'n’existe pas'],
    [':::note Titre\ntexte', ':::note Titre\ntexte', 'ouvert à la ligne 1 n’est pas fermé'],
    ['texte\n\n:::', 'texte\n:::', 'La ligne 3'],
    [':::call javascript:alert(1) | Oui\nTitre\n:::', ':::call javascript:alert(1) | Oui\nTitre\n:::', ':::call'],
    [':::figures\nrien\n:::', 'rien', 'n’a pas la forme'],
    [':::steps\ntexte\n:::', 'texte', 'chaque étape'],
  ])('%j is shown as text and reported', (markdown, shown, told) => {
    const { blocks, faults } = parseProseWithFaults(markdown)
    expect(toPlainProse(blocks)).toBe(shown)
    expect(faults.join('\n')).toContain(told)
  })

  test('inside code they stay code', () => {
    expect(parseProseWithFaults('```\n:::note\n```').faults).toEqual([])
  })
})

const SAFE = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i
function expectSafe(markdown: string) {
  const blocks = parseProseBlocks(markdown)
  expect(z.array(Block).safeParse(blocks).success).toBe(true)
  for (const href of listHrefs(blocks)) expect(href).toMatch(SAFE)
  for (const { src } of listProseImages(blocks)) expect(src).toMatch(/^\/(?:api\/site-images|product|illustrations)\//)
}

describe('hostile or unusual input', () => {
  test.each(XSS_SAMPLES)('%j produces neither HTML nor script', (attack) => expectSafe(attack))

  test('HTML is shown as typed', () => {
    expect(toPlainProse(parseProseBlocks('<script>alert(1)</script>\n\nUn <b onclick=x>mot</b>'))).toBe(
      '<script>alert(1)</script>\nUn <b onclick=x>mot</b>',
    )
  })

  test('the parser never throws and never accepts an unsafe URL scheme', () => {
    const mark = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '*',
      '_',
      '`',
      '#',
      '|',
      '-',
      ':::',
      ':::note',
      ':::call /x | y',
      '\n',
      '\n\n',
      'javascript:',
      'JAVASCRIPT&colon;',
      'data:text/html,',
      'vbscript:',
      'java\tscript:',
      '&#106;',
      '//',
      '\\',
      '    ',
      'https://a.fr',
      'mailto:',
      '```',
      '1. ',
      '~~',
      '&amp;',
      '\u0000',
      '\ud800',
      '\u202e',
      '\r',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(mark, fc.string({ unit: 'binary' })), { maxLength: 60 }), (parts) =>
        expectSafe(parts.join('')),
      ),
      { numRuns: 1500 },
    )
  })

  test.each(['>', '> ', '- a\n  ', '1. ', '* + - ', '[', '**a ', '*_', '![', ':::note\n', '<b>'])(
    '10 000 times %j neither overflows the stack nor hangs',
    async (mark) => {
      expect(await measureCpuMs(() => expectSafe(mark.repeat(10_000)))).toBeLessThan(3000)
    },
  )

  test('ever deeper lists stop at the limit', () => {
    expectSafe(Array.from({ length: 400 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'))
  })

  test('200 kB are parsed within 200 ms of processor time', async () => {
    const words = 'Un paragraphe **ordinaire** avec un [lien](/contact) et quelques mots de plus. '
    const page = `## Titre\n\n${words.repeat(4)}\n\n${words.repeat(3)}\n\n- un\n- deux\n\n`
    const long = page.repeat(Math.ceil(MAX_PROSE_LENGTH / page.length)).slice(0, MAX_PROSE_LENGTH)
    // The fastest of several runs, since other tests run at the same time.
    const efforts: number[] = []
    for (let i = 0; i < 6; i++) efforts.push(await measureCpuMs(() => parseProseBlocks(long)))
    expect(Math.min(...efforts)).toBeLessThan(200)
    expect(parseProseWithFaults(`${long}trop`).faults).toEqual([expect.stringContaining('trop long')])
  })
})
