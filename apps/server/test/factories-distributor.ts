import { createCipheriv, randomBytes } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import { type DifferenceRow, type ReconciledMonth, reconciliation } from '@voisol/contract/reconciliation'
import { addDays, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { formatParisStamp } from '@voisol/file-formats/testing/r63-files'
import { sql } from 'drizzle-orm'
import { unpackInts } from '../src/core/readings.ts'
import type { Db } from '../src/db/client.ts'
import {
  storeDefinitiveQuantities,
  storeDistributorSeries,
} from '../src/features/enedis/reconciliation/store-distributor-data.ts'
import type { EnedisCurvePoint, EnedisQuantity } from '../src/integrations/enedis/enedis-types.ts'
import { call, type TestServer } from './client.ts'
import { makeOperationFixture, requestKeyAdoption } from './factories-energy.ts'

type ZipEntry = {
  name: string
  content: Uint8Array | string
  /** The size declared in the archive directory, if it should be wrong. */
  size?: number
  flags?: number
}

const toBytes = (content: Uint8Array | string) => Buffer.from(content)

function buildZipHeader(signature: number, fields: [size: 2 | 4, value: number][], name: string): Buffer {
  const head = Buffer.alloc(4 + fields.reduce((sum, [size]) => sum + size, 0))
  let at = head.writeUInt32LE(signature, 0)
  for (const [size, value] of fields) at = size === 2 ? head.writeUInt16LE(value, at) : head.writeUInt32LE(value, at)
  return Buffer.concat([head, Buffer.from(name)])
}

/** An archive in the distributor's format. */
export function packDistributorZip(...entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, flags = 0, ...told } of entries) {
    const plain = toBytes(content)
    const packed = deflateRawSync(plain)
    const size = told.size ?? plain.length
    const length = Buffer.byteLength(name)
    const shared: [2 | 4, number][] = [
      ...([
        [2, flags],
        [2, 8],
        [4, 0],
        [4, crc32(plain)],
        [4, packed.length],
        [4, size],
        [2, length],
        [2, 0],
      ] as [2 | 4, number][]), // sizes are 2 or 4 bytes
    ]
    locals.push(buildZipHeader(0x04034b50, [[2, 20], ...shared], name), packed)
    const more: [2 | 4, number][] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ]
    directory.push(buildZipHeader(0x02014b50, [[2, 20], [2, 20], ...shared, ...more], name))
    offset = locals.reduce((sum, part) => sum + part.length, 0)
  }
  const table = Buffer.concat(directory)
  const count = entries.length
  const end = buildZipHeader(
    0x06054b50,
    [
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
      [4, table.length],
      [4, offset],
      [2, 0],
    ],
    '',
  )
  return Buffer.concat([...locals, table, end])
}

export const TEST_FILE_KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'

/** The file format since June 2026: the initialisation vector, then the encrypted archive. */
export function encryptArchive(archive: Uint8Array, key = TEST_FILE_KEY): Buffer {
  const vector = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'hex'), vector)
  return Buffer.concat([vector, cipher.update(archive), cipher.final()])
}

type RegisterReading = { measure: string; name?: string; value: number; unit?: string; injection?: boolean }
type MeterReading = {
  status?: string
  from?: string
  to: string
  supplier?: RegisterReading[]
  dials: RegisterReading[]
}

const buildRegisterXml = (
  element: string,
  { measure, name = 'BASE', value, unit = 'kWh', injection }: RegisterReading,
) =>
  `<${element}><Id_Classe_Temporelle>${name}</Id_Classe_Temporelle><Classe_Mesure>${measure}</Classe_Mesure><Unite_Mesure>${unit}</Unite_Mesure><Sens_Mesure>${injection ? 1 : 0}</Sens_Mesure><Valeur>${value}</Valeur></${element}>`
const buildRegistersXml = ({ dials: own, supplier = [] }: Pick<MeterReading, 'dials' | 'supplier'>) =>
  own.map((one) => buildRegisterXml('Classe_Temporelle_Distributeur', one)).join('') +
  supplier.map((one) => buildRegisterXml('Classe_Temporelle', one)).join('')
const CALENDARS_XML =
  '<Id_Calendrier_Distributeur>DI000001</Id_Calendrier_Distributeur><Id_Calendrier>FC022034</Id_Calendrier>'
const formatMidnight = (day: string) =>
  `${day}T00:00:00${new Date(`${day}T12:00:00Z`).getUTCMonth() % 11 > 2 ? '+02:00' : '+01:00'}`

export const buildR15 = (prm: string, readings: MeterReading[], writtenAt = '2026-09-02T05:00:00+02:00') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<R15><En_Tete_Flux><Identifiant_Flux>R15</Identifiant_Flux><Date_Creation>${writtenAt}</Date_Creation></En_Tete_Flux><PRM><Id_PRM>${prm}</Id_PRM>${readings
    .map(
      ({ status = 'INITIAL', from, to, ...more }) =>
        `<Donnees_Releve><Date_Releve>${formatMidnight(to)}</Date_Releve>${CALENDARS_XML}<Autoconsommation_Collective>1</Autoconsommation_Collective><Statut_Releve>${status}</Statut_Releve>${from ? `<Date_Releve_Precedent>${formatMidnight(from)}</Date_Releve_Precedent>` : ''}${buildRegistersXml(more)}</Donnees_Releve>`,
    )
    .join('')}</PRM></R15>`

type ContractEventInput = {
  event: string
  on: string
  collective?: number
  before?: RegisterReading[]
  after?: RegisterReading[]
}
const buildReadingXml = (on: string, code: number, own: RegisterReading[] | undefined) =>
  own
    ? `<Donnees_Releve><Code_Qualification>${code}</Code_Qualification><Date_Releve>${formatMidnight(on)}</Date_Releve>${CALENDARS_XML}${buildRegistersXml({ dials: own })}</Donnees_Releve>`
    : ''
export const buildC15 = (prm: string, { event, on, collective, before, after }: ContractEventInput) =>
  `<C15><En_Tete_Flux><Identifiant_Flux>C15</Identifiant_Flux></En_Tete_Flux><PRM><Id_PRM>${prm}</Id_PRM>${collective === undefined ? '' : `<Autoconsommation_Collective>${collective}</Autoconsommation_Collective>`}<Evenement_Declencheur><Type_Evenement>CONTRAT</Type_Evenement><Date_Evenement>${formatMidnight(on)}</Date_Evenement><Nature_Evenement>${event}</Nature_Evenement><Releves>${buildReadingXml(on, 1, before)}${buildReadingXml(on, 2, after)}</Releves></Evenement_Declencheur></PRM></C15>`

export const buildR151 = (prm: string, day: string, wh: number, unit = 'Wh') =>
  `<R151><En_Tete_Flux><Unite_Mesure_Index>${unit}</Unite_Mesure_Index></En_Tete_Flux><PRM><Id_PRM>${prm}</Id_PRM><Donnees_Releve><Date_Releve>${day}</Date_Releve><Id_Calendrier_Fournisseur>FC1</Id_Calendrier_Fournisseur><Id_Calendrier_Distributeur>DI1</Id_Calendrier_Distributeur><Classe_Temporelle_Distributeur><Id_Classe_Temporelle>BASE</Id_Classe_Temporelle><Valeur>${wh}</Valeur></Classe_Temporelle_Distributeur><Puissance_Maximale><Valeur>3817</Valeur></Puissance_Maximale></Donnees_Releve></PRM></R151>`

export const buildR171 = (prm: string, day: string, wh: number, quantity = 'EA') =>
  `<ns2:R171 xmlns:ns2="http://www.enedis.fr/stm/R171"><serieMesuresDateesListe><serieMesuresDatees><prmId>${prm}</prmId><type>INDEX</type><grandeurMetier>CONS</grandeurMetier><grandeurPhysique>${quantity}</grandeurPhysique><typeCalendrier>D</typeCalendrier><codeClasseTemporelle>HPH</codeClasseTemporelle><unite>Wh</unite><mesuresDateesListe><mesureDatee><dateFin>${day}T02:37:56</dateFin><valeur>${wh}</valeur></mesureDatee></mesuresDateesListe></serieMesuresDatees></serieMesuresDateesListe></ns2:R171>`

const buildPublicationJson = (codeFlux: string, measures: object[]) =>
  JSON.stringify({ header: { codeFlux, format: 'JSON' }, mesures: measures })

export const buildR64 = (prm: string, day: string, wh: number, code = 'R64') =>
  buildPublicationJson(code, [
    {
      idPrm: prm,
      contexte: [
        {
          etapeMetier: 'BRUT',
          grandeur: [
            {
              grandeurMetier: 'CONS',
              grandeurPhysique: 'EA',
              unite: 'Wh',
              calendrier: [
                {
                  idCalendrier: 'DI000003',
                  classeTemporelle: [{ idClasseTemporelle: 'HPB', valeur: [{ d: `${day} 00:00:00`, v: wh, iv: 0 }] }],
                },
              ],
              cadranTotalisateur: { valeur: [{ d: `${day} 00:00:00`, v: wh * 2 }] },
            },
          ],
        },
      ],
    },
  ])

export const buildR63Json = (prm: string, day: string, value: (n: number) => number) =>
  buildPublicationJson('R63', [
    {
      idPrm: prm,
      etapeMetier: 'BRUT',
      grandeur: [
        {
          grandeurMetier: 'CONS',
          grandeurPhysique: 'PA',
          unite: 'W',
          points: Array.from({ length: minutesOfDay(day) / 30 }, (_, n) => ({
            v: String(value(n)),
            d: formatParisStamp(dayStart(day) + (n + 1) * 30),
            p: 'PT30M',
            n: 'B',
            iv: '0',
          })),
        },
      ],
    },
  ])

type OperationPlace = { companyId: number; operation: { id: string } }
type OperationReader = { operation: { id: string }; token: string }
export type AllocatedStep = { pointId: string; day: string; at: number; watts: number }
type AllocatedDayRow = { pointId: string; day: string; allocated: Buffer }

/** The steps of a day as a curve in the distributor's format; null where missing. */
export const toDistributorPoints = (day: string, watts: (number | null)[], minutes = 15): EnedisCurvePoint[] =>
  watts.flatMap((value, at) =>
    value === null ? [] : [{ end: dayStart(day) + (at + 1) * minutes, minutes, watts: value, quality: 'raw' as const }],
  )

type DistributorSeriesInput = { pointId: string; points: EnedisCurvePoint[]; from: string; to: string }

const storeOperationSeries = (
  db: Db,
  { companyId, operation }: OperationPlace,
  { pointId, points, from, to }: DistributorSeriesInput,
) =>
  storeDistributorSeries(db, {
    companyId,
    operationId: operation.id,
    pointId,
    type: 'autocons',
    from,
    to,
    receivedAt: new Date(),
    curve: { prm: '', direction: 'consumption', points },
  })

export const storeDistributorDay = (db: Db, place: OperationPlace, pointId: string, day: string, watts: number[]) =>
  storeOperationSeries(db, place, { pointId, points: toDistributorPoints(day, watts), from: day, to: addDays(day, 1) })

/** Stores the allocation in force as the distributor's series, altered by `change`; null removes a value. */
export async function storeAllocatedAsDistributorSeries(
  db: Db,
  place: OperationPlace,
  change: (step: AllocatedStep) => number | null = ({ watts }) => watts,
) {
  const { rows } = await db.execute<AllocatedDayRow>(sql`
    select d.point_id as "pointId", d.day::text, d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${place.companyId} and c.operation_id = ${place.operation.id} order by d.point_id, d.day`)
  for (const [pointId, days] of Map.groupBy(rows, (row) => row.pointId)) {
    const points = days.flatMap(({ day, allocated }) => {
      const means = Array.from(unpackInts(allocated), (value) => Math.max(0, Math.round(value / 15)))
      return toDistributorPoints(
        day,
        means.map((watts, at) => change({ pointId, day, at, watts })),
      )
    })
    await storeOperationSeries(db, place, { pointId, points, from: '2000-01-01', to: '2100-01-01' })
  }
}

type QuantityClasses = {
  from: string
  to: string
  classes: Record<string, number>
  source?: 'api' | 'R15'
  receivedAt?: Date
}

/** In kilowatt-hours by class. */
export function storeMonthQuantities(
  db: Db,
  { companyId, operation }: OperationPlace,
  pointId: string,
  given: QuantityClasses,
) {
  const { from, to, classes, source = 'api', receivedAt = new Date() } = given
  const quantities = Object.entries(classes).map(
    ([name, kwh]): EnedisQuantity => ({ type: 'autocons', calendar: 'DISTRIB', name, wh: kwh * 1000 }),
  )
  return storeDefinitiveQuantities(db, {
    companyId,
    operationId: operation.id,
    pointId,
    from,
    to,
    source,
    quantities,
    receivedAt,
  })
}

type HalvesMeter = { watts: number | ((at: number) => number); startsOn?: string }
type OperationFixture = Awaited<ReturnType<typeof makeOperationFixture>>

export const getConsumerIds = ({ consumers }: OperationFixture) => consumers.map(({ id }) => id)
export const buildConsumerShares = (scene: OperationFixture, ...parts: number[]) =>
  getConsumerIds(scene).map((pointId, at) => ({ pointId, share: parts[at] ?? 0 }))

/** One roof of 1 000 W and two homes with the same consumption, half of the roof each. */
export async function makeEqualHalvesFixture(
  server: TestServer,
  period: { from: string; to: string },
  meters: HalvesMeter[] = [],
) {
  const consumers = [meters[0] ?? { watts: 1000 }, meters[1] ?? { watts: 1000 }]
  const scene = await makeOperationFixture(server, { ...period, producers: [1000], consumers })
  await requestKeyAdoption(server, scene, { method: 'static', shares: buildConsumerShares(scene, 500_000, 500_000) })
  return scene
}

export async function fetchReconciledMonths(
  server: TestServer,
  { operation, token }: OperationReader,
): Promise<ReconciledMonth[]> {
  const { body } = await call(server, reconciliation.months, { params: { id: operation.id } }, { token })
  return body.items
}

export type DifferenceRowsQuery = { month: string; level?: string; pointId?: string; day?: string }

export async function fetchDifferenceRows(
  server: TestServer,
  { operation, token }: OperationReader,
  query: DifferenceRowsQuery,
): Promise<DifferenceRow[]> {
  const input = { params: { id: operation.id }, query }
  const { body, status, text } = await call(server, reconciliation.rows, input, { token })
  if (status !== 200) throw new Error(text)
  return body.items
}

export const mapCausesByPoint = (rows: DifferenceRow[]) =>
  Object.fromEntries(rows.map(({ pointId, cause }) => [pointId, cause]))
