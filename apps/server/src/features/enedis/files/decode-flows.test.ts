import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildR63, buildR63Rows } from '@voisol/file-formats/testing/r63-files'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  buildC15,
  buildR15,
  buildR64,
  buildR151,
  buildR171,
  encryptArchive,
  packDistributorZip,
  TEST_FILE_KEY,
} from '../../../../test/factories-distributor.ts'
import { decodeParts } from './decode-flows.ts'
import { openFileParts } from './open-file.ts'
import type { FileDataSink, ParsedIndex, ParsedQuantities } from './parsed-content.ts'
import { QuarantineError } from './quarantine.ts'

const PRM = '30001642617347'
const root = mkdtempSync(join(tmpdir(), 'voisol-refusals-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let scratch = ''
beforeEach(() => {
  scratch = mkdtempSync(join(root, 'one-'))
})

async function read(content: Uint8Array | string, key: string | null = null) {
  const found = { days: 0, indexes: [] as ParsedIndex[], quantities: [] as ParsedQuantities[], events: 0 }
  const sink: FileDataSink = {
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
  const kinds = await decodeParts(await openFileParts({ path, name: 'fichier', key, scratch }), sink)
  return { kinds, ...found }
}

/** The code and the sentence of the refusal. */
const refusal = (content: Uint8Array | string, key?: string | null) =>
  read(content, key).then(
    () => 'read',
    (error: unknown) => {
      if (error instanceof QuarantineError) return `${error.code}: ${error.message}`
      throw error
    },
  )

const csv = buildR63(buildR63Rows(PRM, '2026-03-10', (n) => n))
const archive = packDistributorZip({ name: 'R63.csv', content: csv })
const good = { days: 1, kinds: ['R63'] }

describe('files that are opened', () => {
  test.each<[string, Uint8Array | string, string | null]>([
    ['a plain file', csv, null],
    ['a ZIP', archive, null],
    ['gzip', gzipSync(csv), null],
    ['a ZIP of gzip', packDistributorZip({ name: 'a.csv.gz', content: gzipSync(csv) }), null],
    ['a ZIP in a ZIP', packDistributorZip({ name: 'a.zip', content: archive }), null],
    ['an enciphered ZIP', encryptArchive(archive), TEST_FILE_KEY],
    ['an enciphered ZIP of ZIP', encryptArchive(packDistributorZip({ name: 'a', content: archive })), TEST_FILE_KEY],
    [
      'a ZIP with a folder in it',
      packDistributorZip({ name: 'lot/', content: '' }, { name: 'lot/R63.csv', content: csv }),
      null,
    ],
    ['a plain file where a key is known', csv, TEST_FILE_KEY],
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
    ['a ZIP without any file', packDistributorZip(), null, /^archive: .*aucun fichier/],
    ['gzip cut short', gzipSync(csv).subarray(0, 300), null, /^archive: .*incomplète ou abîmée/],
    ['a protected ZIP', packDistributorZip({ name: 'a', content: csv, flags: 1 }), null, /^archive: .*mot de passe/],
    [
      'a way out of the folder',
      packDistributorZip({ name: '../../etc/cron', content: csv }),
      null,
      /^archive: .*nom trompeur/,
    ],
    ['an absolute name', packDistributorZip({ name: '/etc/passwd', content: csv }), null, /^archive: .*nom trompeur/],
    ['a Windows way out', packDistributorZip({ name: 'a\\..\\b', content: csv }), null, /^archive: .*nom trompeur/],
    [
      'more than it declares',
      packDistributorZip({ name: 'a', content: csv, size: 100 }),
      null,
      /^bomb: .*façon anormale/,
    ],
    [
      'less than it declares',
      packDistributorZip({ name: 'a', content: csv, size: csv.length + 9 }),
      null,
      /^archive: .*abîmée/,
    ],
    ['a bomb', packDistributorZip({ name: 'a', content: Buffer.alloc(20_000_000) }), null, /^bomb: /],
    ['a gzip bomb', gzipSync(Buffer.alloc(300_000_000, 'a')), null, /^bomb: |^kind: .*première ligne/],
    [
      'three levels',
      packDistributorZip({ name: 'a', content: packDistributorZip({ name: 'b', content: archive }) }),
      null,
      /^archive: .*plus d’un niveau/,
    ],
    ['enciphered, without a key', encryptArchive(archive), null, /^key: .*aucune clé/],
    ['enciphered, with another key', encryptArchive(archive), 'f'.repeat(64), /^key: .*ne s’ouvre pas/],
    ['enciphered, cut short', encryptArchive(archive).subarray(0, 333), TEST_FILE_KEY, /^archive: .*longueur/],
    ['enciphered, cut at a block', encryptArchive(archive).subarray(0, 320), TEST_FILE_KEY, /^key: |^archive: /],
    ['enciphered around something else', encryptArchive(Buffer.from(csv)), TEST_FILE_KEY, /^key: .*ne s’ouvre pas/],
    ['a PDF', '%PDF-1.7 …', null, /^kind: .*document PDF/],
  ])('%s', async (_, content, key, message) => {
    expect(await refusal(content, key)).toMatch(message)
  })

  test('hands a workbook on to the curve imports', async () => {
    expect(await refusal(await writeXlsx({ sheets: [{ name: 'a', rows: [['b']] }] }))).toMatch(/^asks: .*classeur/)
  })
})

describe('other types of files, each named in the refusal', () => {
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

describe('files with invalid content', () => {
  const dials = [{ measure: '3', value: 5 }]
  const period = { from: '2026-08-01', to: '2026-09-01' }
  const one = buildR15(PRM, [{ ...period, dials }])
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
    ['R15, no period', buildR15(PRM, [{ to: '2026-09-01', dials }]), 'relevé précédent'],
    [
      'R15, a period that ends before it begins',
      buildR15(PRM, [{ from: '2026-09-01', to: '2026-09-01', dials }]),
      'suit un relevé',
    ],
    ['R151, an unknown unit', buildR151(PRM, '2026-02-02', 1, 'TEXTE'), 'L’unité des index'],
    ['R171, no active energy', buildR171(PRM, '2026-02-02', 1, 'DD'), 'aucun index'],
    ['R64, cut short', buildR64(PRM, '2026-02-02', 1).slice(0, -9), 'JSON est incomplet'],
    ['R64, another shape', buildR64(PRM, '2026-02-02', 1).replace(PRM, '1'), 'n’a pas la forme'],
    [
      'C15, no event',
      buildC15(PRM, { event: 'RES', on: '2026-01-01' }).replaceAll('Evenement_Declencheur', 'Autre'),
      'événement',
    ],
    ['an entity', `<!DOCTYPE a [<!ENTITY b "c">]>${one}`, 'DOCTYPE'],
  ])('%s', async (_, text, message) => {
    expect(await refusal(text)).toContain(message)
  })
})

test('skips registers that are not energy, and counts the supplier’s time classes only once', async () => {
  const dials = [
    { measure: '1', value: 7, unit: 'kVA' },
    { measure: '1', value: 8, injection: true },
    { measure: '5', value: 3 },
  ]
  const supplier = [
    { measure: '5', value: 3 },
    { measure: '1', value: 9 },
  ]
  const { indexes, quantities } = await read(buildR15(PRM, [{ from: '2026-08-01', to: '2026-09-01', dials, supplier }]))
  expect(indexes).toMatchObject([
    { direction: 'production', calendar: 'DI000001', wh: 8000, day: '2026-09-01' },
    { direction: 'consumption', calendar: 'FC022034', wh: 9000 },
  ])
  expect(quantities).toMatchObject([{ direction: 'production', quantities: [{ type: 'autocons', wh: 3000 }] }])
})
