import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addDays } from '@voisol/energy/calendar'
import { afterAll, describe, expect, test } from 'vitest'
import { parseCurveV5 } from '../../../integrations/enedis/parse-curve.ts'
import { decodeParts } from './decode-flows.ts'
import { openFileParts } from './open-file.ts'
import type { FileDataSink, ParsedContractEvent, ParsedIndex, ParsedQuantities } from './parsed-content.ts'
import { QuarantineError } from './quarantine.ts'

// A folder beside the repository, not part of it.
const DATA = fileURLToPath(new URL('../../../../../../../shared/data/enedis/', import.meta.url))
const present = existsSync(DATA)
const FLOWS = 'electricore_fixtures/tests/fixtures/flux'
const JSONS = 'saniho_dataconnect_json/tests/Json'

const scratch = mkdtempSync(join(tmpdir(), 'voisol-real-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const walk = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : [relative(DATA, join(folder, entry.name))],
  )

async function read(path: string) {
  const found = {
    readings: 0,
    prms: new Set<string>(),
    indexes: [] as ParsedIndex[],
    quantities: [] as ParsedQuantities[],
    events: [] as ParsedContractEvent[],
  }
  const sink: FileDataSink = {
    days(series) {
      for (const { prm, days } of series) {
        found.prms.add(prm)
        for (const { watts } of days) for (const value of watts) if (value >= 0) found.readings++
      }
    },
    indexes: (rows) => void found.indexes.push(...rows),
    quantities: (rows) => void found.quantities.push(...rows),
    events: (rows) => void found.events.push(...rows),
  }
  const name = path.split('/').at(-1) ?? ''
  const [kind = ''] = await decodeParts(await openFileParts({ path: join(DATA, path), name, key: null, scratch }), sink)
  return { kind, ...found }
}

const summary = async (path: string): Promise<string> => {
  try {
    const { kind, readings, indexes, quantities, events } = await read(path)
    const counts = { readings, indexes: indexes.length, quantities: quantities.length, events: events.length }
    const said = Object.entries(counts).filter(([, count]) => count > 0)
    return `${kind}: ${said.map(([name, count]) => `${count} ${name}`).join(', ')}`
  } catch (error) {
    if (error instanceof QuarantineError) return `${error.code}: ${error.message}`
    throw error
  }
}

const golden = (name: string): Record<string, string | number>[] =>
  JSON.parse(readFileSync(join(DATA, FLOWS, 'golden', `${name}.json`), 'utf8'))

/** The expected type of every file, or why it is put aside. */
const EXPECTED: [RegExp, RegExp][] = [
  [/CommandeCollecte.*R50\.xml$/, /^R50: 48 readings$/],
  [/CommandeCollecte.*R4Q\.xml$/, /^R4x: 144 readings$/],
  [/CommandeCollecte.*R151\.xml$/, /^R151: 2 indexes$/],
  [/CommandeCollecte.*R171\.xml$/, /^R171: 4 indexes$/],
  [/C4-CDC.*HDM.*\.csv\.gz$/, /^kind: Ce fichier ne dit pas son unité/],
  [/C5-CDC.*HDM.*\.csv\.gz$/, /^HDM: 17852 readings$/],
  [/C5-IDX.*HDM.*\.csv\.gz$/, /^content: .*« Index », « Puissance maximale quotidienne »/],
  [/(request|response)\.xml$/, /^kind: Ce fichier est (une réponse SOAP|un XML)/],
  [/flux\/r15\.xml$/, /^R15: 2 indexes$/],
  [/flux\/r15_acc\.xml$/, /^R15: 2 indexes, 2 quantities$/],
  [/flux\/r15_xsd\.xml$/, /^R15: 2 indexes$/],
  [/flux\/r151\.xml$/, /^R151: 5 indexes$/],
  [/flux\/r151_xsd\.xml$/, /^content: L’unité des index de ce R151 est « TEXTE »/],
  [/flux\/r64\.json$/, /^R64: 13 indexes$/],
  [/flux\/r67\.json$/, /^kind: Ce fichier est un flux R67/],
  [/flux\/c15_avec_releves\.xml$/, /^C15: 7 indexes, 1 events$/],
  [/flux\/c15_xsd\.xml$/, /^C15: 2 events$/],
  [/flux\/c12_xsd\.xml$/, /^kind: Ce fichier est un flux C12/],
  [/flux\/f12/, /^kind: Ce fichier est un flux F12/],
  [/flux\/f15/, /^kind: Ce fichier est un flux F15/],
  [/affaires_X12\.xml$/, /^kind: Ce fichier est un flux X12/],
  [/affaires_X13\.xml$/, /^kind: Ce fichier est un flux X13/],
  [/saniho.*\.(json|txt)$/, /^kind: Ce fichier est (une réponse de l’interface DataConnect|un document JSON)/],
  [/golden\/.*\.json$/, /^kind: .*document JSON/],
  [/openapi\/.*\.json$/, /^kind: .*(document JSON|interface DataConnect)/],
  [/\.xsd$/, /^kind: .*racine « schema »/],
  [/turpe_rules\.csv$/, /^kind: .*première ligne/],
  [/\.md$/, /^kind: .*première ligne/],
]

if (!present) test.skip('real files: skipped, since ../shared/data is missing', () => undefined)

describe.skipIf(!present)('real files', () => {
  const files = present ? walk(DATA) : []

  test.each(files)('%s', async (path) => {
    const [, outcome] = EXPECTED.find(([name]) => name.test(path)) ?? []
    expect(outcome, path).toBeDefined()
    expect((await summary(path)).replaceAll('\u00a0', ' ')).toMatch(outcome ?? /^$/)
  })

  const kwh = (indexes: ParsedIndex[], where: Partial<ParsedIndex>) =>
    Object.fromEntries(
      indexes
        .filter((index) => Object.entries(where).every(([name, value]) => index[name as keyof ParsedIndex] === value)) // names of its own
        .map(({ name, wh }) => [`index_${name.toLowerCase()}_kwh`, Math.floor((wh ?? 0) / 1000)]),
    )

  test('R64: stores the indexes of both points to the kWh', async () => {
    const { indexes } = await read(`${FLOWS}/r64.json`)
    for (const row of golden('flux_r64'))
      expect(row).toMatchObject({
        ...kwh(indexes, { prm: String(row.pdl), calendar: String(row.id_calendrier_distributeur), day: '2026-06-01' }),
      })
    expect(indexes.filter(({ name }) => name === 'TOTAL').map(({ wh }) => wh)).toEqual([11_444_177, 47_678_412])
  })

  test('R151: the index that closes a day opens the next one', async () => {
    const { indexes } = await read(`${FLOWS}/r151.xml`)
    const [row] = golden('flux_r151')
    const day = String(row?.date_releve).slice(0, 10)
    expect(day).toBe(addDays('2024-04-04', 1))
    expect(row).toMatchObject(kwh(indexes, { prm: String(row?.pdl), calendar: 'DI000003', day }))
    expect(Object.keys(kwh(indexes, { calendar: 'DI000003', day }))).toHaveLength(4)
  })

  test('R15: stores the index in the distributor’s time classes', async () => {
    const { indexes } = await read(`${FLOWS}/r15.xml`)
    const [row] = golden('flux_r15')
    expect(row).toMatchObject(kwh(indexes, { calendar: 'DI000001', day: '2024-07-30', prm: String(row?.pdl) }))
  })

  test('R15 of an operation: classes 3 to 6 go to the right member', async () => {
    const { quantities } = await read(`${FLOWS}/r15_acc.xml`)
    const [row] = golden('flux_r15_acc_peuple')
    const of = (direction: string) => quantities.find((one) => one.direction === direction)
    expect(of('consumption')).toMatchObject({ prm: row?.pdl, from: '2024-07-01', to: '2024-07-30' })
    const named = quantities.flatMap(({ direction, quantities: some }) =>
      some.map(({ type, name, wh }) => [`${direction} ${type} ${name}`, wh / 1000]),
    )
    expect(Object.fromEntries(named)).toEqual({
      'consumption autocons BASE': row?.ea_autoproduite_index_base_kwh,
      'consumption complement BASE': row?.ea_alloproduite_index_base_kwh,
      'production autocons HP': row?.ea_autoconsommee_index_hp_kwh,
      'production autocons HC': row?.ea_autoconsommee_index_hc_kwh,
      'production surplus BASE': row?.ea_surplus_index_base_kwh,
    })
  })

  test('C15: stores the event and the indexes before and after it', async () => {
    const { events, indexes } = await read(`${FLOWS}/c15_avec_releves.xml`)
    const [row] = golden('flux_c15')
    expect(events).toEqual([{ prm: row?.pdl, event: row?.evenement_declencheur, on: '2024-10-04', collective: null }])
    const prefixed = (prefix: string, values: Record<string, number>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]))
    expect(row).toMatchObject(prefixed('avant', kwh(indexes, { source: 'C15-avant', calendar: 'DI000001' })))
    expect(row).toMatchObject(prefixed('apres', kwh(indexes, { source: 'C15', calendar: 'DI000003' })))
    const two = (await read(`${FLOWS}/c15_xsd.xml`)).events
    expect(two.map(({ prm, event, collective }) => [prm, event, collective])).toEqual(
      golden('flux_c15_xsd').map(({ pdl, evenement_declencheur }, n) => [pdl, evenement_declencheur, n]),
    )
  })

  test('R15 built from the schema: the rectified index prevails', async () => {
    const { indexes } = await read(`${FLOWS}/r15_xsd.xml`)
    const rectified = golden('flux_r15_xsd').filter(({ nature_index }) => nature_index === 'estimé')
    for (const { pdl, index_base_kwh } of rectified)
      expect(indexes.filter(({ prm }) => prm === pdl).map(({ wh }) => (wh ?? 0) / 1000)).toEqual([index_base_kwh])
  })

  const curves = files.filter(
    (path) => path.startsWith(JSONS) && /"interval_length"/.test(readFileSync(join(DATA, path), 'utf8')),
  )
  test.each(curves)('%s is a load curve of the API', (path) => {
    const body = JSON.parse(readFileSync(join(DATA, path), 'utf8'))
    const { interval_reading: readings, usage_point_id: prm, start: from, end: to } = body.meter_reading
    const { points } = parseCurveV5(body, { prm, direction: 'consumption', from, to })
    expect(points.length).toBe(new Set(readings.map(({ date }: { date: string }) => date)).size)
    expect(points.reduce((sum, { watts }) => sum + watts, 0)).toBeGreaterThan(0)
  })
  test('finds API load curves', () => expect(curves.length).toBeGreaterThanOrEqual(4))
})
