import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { c15, cipherOf, FILE_KEY, r15, r63, r63Rows, r64, r151, r171, zipOf } from '../../../../test/factories-flows.ts'
import { decodeParts } from './decode.ts'
import type { FoundIndex, FoundQuantities, Sink } from './found.ts'
import { openParts } from './opening.ts'
import { Quarantined } from './refusal.ts'

const PRM = '30001642617347'
const root = mkdtempSync(join(tmpdir(), 'voisol-refusals-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let scratch = ''
beforeEach(() => {
  scratch = mkdtempSync(join(root, 'one-'))
})

async function read(content: Uint8Array | string, key: string | null = null) {
  const found = { days: 0, indexes: [] as FoundIndex[], quantities: [] as FoundQuantities[], events: 0 }
  const sink: Sink = {
    days: (series) => {
      found.days += series.reduce((sum, { days }) => sum + days.length, 0)
    },
    indexes: (rows) => void found.indexes.push(...rows),
    quantities: (rows) => void found.quantities.push(...rows),
    events: (rows) => {
      found.events += rows.length
    },
  }
  const path = join(scratch, 'received')
  writeFileSync(path, content)
  const kinds = await decodeParts(await openParts({ path, name: 'fichier', key, scratch }), sink)
  return { kinds, ...found }
}

/** The code and the sentence. */
const refusal = (content: Uint8Array | string, key?: string | null) =>
  read(content, key).then(
    () => 'read',
    (error: unknown) => {
      if (error instanceof Quarantined) return `${error.code}: ${error.message}`
      throw error
    },
  )

const csv = r63(r63Rows(PRM, '2026-03-10', (n) => n))
const archive = zipOf({ name: 'R63.csv', content: csv })
const good = { days: 1, kinds: ['R63'] }

describe('what is opened', () => {
  test.each<[string, Uint8Array | string, string | null]>([
    ['a plain file', csv, null],
    ['a ZIP', archive, null],
    ['gzip', gzipSync(csv), null],
    ['a ZIP of gzip', zipOf({ name: 'a.csv.gz', content: gzipSync(csv) }), null],
    ['a ZIP in a ZIP', zipOf({ name: 'a.zip', content: archive }), null],
    ['an enciphered ZIP', cipherOf(archive), FILE_KEY],
    ['an enciphered ZIP of ZIP', cipherOf(zipOf({ name: 'a', content: archive })), FILE_KEY],
    ['a ZIP with a folder in it', zipOf({ name: 'lot/', content: '' }, { name: 'lot/R63.csv', content: csv }), null],
    ['a plain file where a key is known', csv, FILE_KEY],
  ])('%s', async (_, content, key) => {
    expect(await read(content, key)).toMatchObject(good)
  })
})

describe('archives that are put aside', () => {
  const damagedZip = Buffer.concat([archive.subarray(0, 80), Buffer.alloc(60, 7), archive.subarray(140)])
  test.each<[string, Uint8Array | string, string | null, RegExp]>([
    ['empty', '', null, /^archive: Ce fichier est vide/],
    ['a ZIP cut short', archive.subarray(0, archive.length - 40), null, /^archive: .*incomplète ou abîmée/],
    ['a ZIP with wrong bytes inside', damagedZip, null, /^archive: .*incomplète ou abîmée/],
    ['a ZIP without any file', zipOf(), null, /^archive: .*aucun fichier/],
    ['gzip cut short', gzipSync(csv).subarray(0, 300), null, /^archive: .*incomplète ou abîmée/],
    ['a protected ZIP', zipOf({ name: 'a', content: csv, flags: 1 }), null, /^archive: .*mot de passe/],
    ['a way out of the folder', zipOf({ name: '../../etc/cron', content: csv }), null, /^archive: .*nom trompeur/],
    ['an absolute name', zipOf({ name: '/etc/passwd', content: csv }), null, /^archive: .*nom trompeur/],
    ['a Windows way out', zipOf({ name: 'a\\..\\b', content: csv }), null, /^archive: .*nom trompeur/],
    ['more than it declares', zipOf({ name: 'a', content: csv, size: 100 }), null, /^bomb: .*façon anormale/],
    ['less than it declares', zipOf({ name: 'a', content: csv, size: csv.length + 9 }), null, /^archive: .*abîmée/],
    ['a bomb', zipOf({ name: 'a', content: Buffer.alloc(20_000_000) }), null, /^bomb: /],
    ['a gzip bomb', gzipSync(Buffer.alloc(300_000_000, 'a')), null, /^bomb: |^kind: .*première ligne/],
    [
      'three levels',
      zipOf({ name: 'a', content: zipOf({ name: 'b', content: archive }) }),
      null,
      /^archive: .*plus d’un niveau/,
    ],
    ['enciphered, without a key', cipherOf(archive), null, /^key: .*aucune clé/],
    ['enciphered, with another key', cipherOf(archive), 'f'.repeat(64), /^key: .*ne s’ouvre pas/],
    ['enciphered, cut short', cipherOf(archive).subarray(0, 333), FILE_KEY, /^archive: .*longueur/],
    ['enciphered, cut at a block', cipherOf(archive).subarray(0, 320), FILE_KEY, /^key: |^archive: /],
    ['enciphered around something else', cipherOf(Buffer.from(csv)), FILE_KEY, /^key: .*ne s’ouvre pas/],
    ['a PDF', '%PDF-1.7 …', null, /^kind: .*document PDF/],
  ])('%s', async (_, content, key, message) => {
    expect(await refusal(content, key)).toMatch(message)
  })

  test('a workbook', async () => {
    expect(await refusal(await writeXlsx({ sheets: [{ name: 'a', rows: [['b']] }] }))).toMatch(/^asks: .*classeur/)
  })
})

describe('files that are something else, each by its name', () => {
  test.each([
    ['<F15/>', 'flux F15'],
    ['<F12><En_Tete_Flux/></F12>', 'flux F12'],
    ['<C12/>', 'flux C12'],
    ['<affaires><enteteFlux><idFlux>X12</idFlux></enteteFlux></affaires>', 'flux X12'],
    ['<soap:Envelope xmlns:soap="x"/>', 'réponse SOAP'],
    ['<!DOCTYPE html><html></html>', 'page web'],
    ['<Inconnu/>', 'racine «\u00a0Inconnu\u00a0»'],
    ['{"header":{"codeFlux":"R67"}}', 'flux R67'],
    ['{"header":{"codeFlux":"R66"},"mesures":[]}', 'R66 (puissances maximales)'],
    ['{"meter_reading":{}}', 'DataConnect'],
    ['{"a":1}', 'document JSON'],
    ['a;b;c\n1;2;3\n', 'première ligne est «\u00a0a;b;c\u00a0»'],
  ])('%s', async (text, what) => {
    expect(await refusal(text)).toMatch(new RegExp(`^kind: Ce fichier est .*${what.replace(/[()]/g, '\\$&')}`))
  })
})

describe('files whose content is wrong', () => {
  const dials = [{ measure: '3', value: 5 }]
  const period = { from: '2026-08-01', to: '2026-09-01' }
  const one = r15(PRM, [{ ...period, dials }])
  test.each([
    ['R63, a row cut short', `${csv}${PRM};2026`, 'Ligne 50\u00a0: il manque des colonnes'],
    ['R63, a bad point', csv.replace(PRM, '123'), 'n’est pas un PRM'],
    ['R63, a bad stamp', csv.replace('2026-03-10 01:00:00', '2026-13-10 01:00:00'), 'n’est pas lisible'],
    ['R63, a bad value', csv.replace(';7;B', ';sept;B'), 'n’est pas un nombre'],
    ['R63, no value', csv.replace(/;\d+;B/g, ';;B'), 'aucune valeur'],
    ['R63, the header alone', `${csv.split('\n')[0]}\n`, 'aucune valeur'],
    ['R15, cut short', one.slice(0, -20), 'incomplet ou mal formé'],
    ['R15, a bad point', one.replace(PRM, '12'), 'n’est pas un PRM'],
    ['R15, a bad value', one.replace('<Valeur>5<', '<Valeur>cinq<'), 'la valeur «\u00a0cinq\u00a0»'],
    ['R15, a bad date', one.replace('<Date_Releve>2026-09-01', '<Date_Releve>2026-09-41'), 'la date'],
    ['R15, an unknown status', one.replace('INITIAL', 'AUTRE'), 'statut'],
    ['R15, no period', r15(PRM, [{ to: '2026-09-01', dials }]), 'relevé précédent'],
    [
      'R15, a period that ends before it begins',
      r15(PRM, [{ from: '2026-09-01', to: '2026-09-01', dials }]),
      'suit un relevé',
    ],
    ['R151, an unknown unit', r151(PRM, '2026-02-02', 1, 'TEXTE'), 'L’unité des index'],
    ['R171, no active energy', r171(PRM, '2026-02-02', 1, 'DD'), 'aucun index'],
    ['R64, cut short', r64(PRM, '2026-02-02', 1).slice(0, -9), 'JSON est incomplet'],
    ['R64, another shape', r64(PRM, '2026-02-02', 1).replace(PRM, '1'), 'n’a pas la forme'],
    [
      'C15, no event',
      c15(PRM, { event: 'RES', on: '2026-01-01' }).replaceAll('Evenement_Declencheur', 'Autre'),
      'événement',
    ],
    ['an entity', `<!DOCTYPE a [<!ENTITY b "c">]>${one}`, 'DOCTYPE'],
  ])('%s', async (_, text, message) => {
    expect(await refusal(text)).toContain(message)
  })
})

test('what is not an energy is left out of a reading, and the supplier’s hours do not count twice', async () => {
  const dials = [
    { measure: '1', value: 7, unit: 'kVA' },
    { measure: '1', value: 8, injection: true },
    { measure: '5', value: 3 },
  ]
  const supplier = [
    { measure: '5', value: 3 },
    { measure: '1', value: 9 },
  ]
  const { indexes, quantities } = await read(r15(PRM, [{ from: '2026-08-01', to: '2026-09-01', dials, supplier }]))
  expect(indexes).toMatchObject([
    { direction: 'production', calendar: 'DI000001', wh: 8000, day: '2026-09-01' },
    { direction: 'consumption', calendar: 'FC022034', wh: 9000 },
  ])
  expect(quantities).toMatchObject([{ direction: 'production', quantities: [{ type: 'autocons', wh: 3000 }] }])
})
