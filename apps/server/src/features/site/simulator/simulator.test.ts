import { HourlyEstimate, simulator } from '@voisol/contract/simulator'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { simulateProject } from '@voisol/energy/simulator'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { measureCpuMs } from '../../../../test/cpu-time.ts'
import { useServer } from '../../../../test/server.ts'
import { CONSUMPTION_MIXES } from './hourly-estimate.ts'

const server = useServer()
beforeEach(() => server.deps.aside.$client.query('delete from throttles'))

const INPUT = {
  projectType: 'copropriete',
  location: 'auvergne-rhone-alpes',
  nbLogements: 48,
  puissanceInstallee: 72,
  consommationAnnuelle: 165_000,
  typeBatiment: 'existant',
}
const refine = (body: Record<string, unknown>) => call(server, simulator.refine, { body })
const estimate = async (more = {}) => HourlyEstimate.parse((await refine({ ...INPUT, ...more })).body)
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

describe('the hourly estimate', () => {
  test('balances a year: what is used on the spot and the surplus make the production', async () => {
    const found = await estimate()
    expect(found.energieAutoconsommee + found.surplus).toBeCloseTo(found.productionAnnuelle, 0)
    expect(found.productionAnnuelle).toBeCloseTo(found.kwhPerKwc * 72, -2)
    expect(sum(found.months.map(({ production }) => production))).toBeCloseTo(found.productionAnnuelle, 0)
    expect(sum(found.months.map(({ consommation }) => consommation))).toBeCloseTo(165_000, -1)
    expect(sum(found.months.map(({ autoconsommation }) => autoconsommation))).toBeCloseTo(found.energieAutoconsommee, 0)
    expect(found.economiesAnnuelles).toBeCloseTo(found.energieAutoconsommee * 0.15, 0)
    expect(found.roi).toBeCloseTo(simulateProject(INPUT).investissementNet / found.economiesAnnuelles, 1)
    expect(found.days.map(({ label }) => label)).toEqual(['Juin', 'Décembre'])
    const [june, december] = found.days
    expect(june?.hours[2]?.production).toBe(0)
    expect(june?.hours[13]?.production).toBeGreaterThan((december?.hours[13]?.production ?? 0) * 1.5)
  })

  test('depends on the place, the project and the building as one would expect', async () => {
    const paris = await estimate({ location: 'ile-de-france' })
    const marseille = await estimate({ location: 'paca' })
    expect(paris.kwhPerKwc).toBeGreaterThan(1000)
    expect(marseille.kwhPerKwc).toBeGreaterThan(paris.kwhPerKwc * 1.2)
    const offices = await estimate({ projectType: 'tertiaire' })
    const homes = await estimate()
    expect(offices.tauxAutoconsommation).toBeGreaterThan(homes.tauxAutoconsommation + 5)
    const heated = await estimate({ typeBatiment: 'neuf' })
    const winter = (found: HourlyEstimate) =>
      (found.months[0]?.consommation ?? 0) / (found.months[6]?.consommation ?? 1)
    expect(winter(heated)).toBeGreaterThan(winter(homes) * 1.2)
  })

  test('explains in French why it differs', async () => {
    const { differences } = await estimate()
    const text = differences.join('\n')
    expect(text).toContain('contre 1\u202f100 dans la formule rapide')
    expect(text).toMatch(/À Lyon, un toit orienté au sud/)
    expect(text).toMatch(/\d+\u00a0% de la consommation ont lieu aux heures où le toit produit/)
    expect(text).toMatch(/La production représente \d+\u00a0% de la consommation de l’année/)
    expect(text).toContain('Profil de consommation retenu')
    expect(text).not.toMatch(/NaN|undefined|Infini| [:;!?€%]/)
  })

  test.each([
    {},
    { puissanceInstallee: 10 },
    { consommationAnnuelle: 10_000 },
    { puissanceInstallee: 1_000_000, consommationAnnuelle: 1 },
    { puissanceInstallee: 0.1, consommationAnnuelle: 10_000_000_000 },
  ])('what is missing counts as nothing: %o', async (body) => {
    const { status, body: found } = await refine(body)
    expect(status).toBe(200)
    expect(JSON.stringify(found)).not.toMatch(/NaN|null[^,}]|Infini/)
    expect(found.tauxAutoconsommation).toBeLessThanOrEqual(100)
    expect(found.differences.length).toBeGreaterThan(0)
  })

  test('every mix is whole', () => {
    for (const buildings of Object.values(CONSUMPTION_MIXES))
      for (const mix of Object.values(buildings)) expect(sum(Object.values(mix))).toBe(100)
  })

  test('costs little once its curves are known', async () => {
    await estimate()
    const efforts: number[] = []
    for (let i = 0; i < 5; i++) efforts.push(await measureCpuMs(() => estimate()))
    expect(Math.min(...efforts)).toBeLessThan(200)
  })

  test('is refused with a French message beside the field', async () => {
    const { status, body } = await refine({ ...INPUT, puissanceInstallee: -1, location: 'lune', autre: 1 })
    expect(status).toBe(422)
    expect(body.issues.map(({ path }: { path: string }) => path)).toContain('puissanceInstallee')
  })

  test('is throttled by address', async () => {
    for (let i = 0; i < 60; i++) expect((await refine({})).status).toBe(200)
    const { status, headers } = await refine({})
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('the report', () => {
  const report = (simulationData: unknown) =>
    server.app.inject({ method: 'POST', url: simulator.report.path, payload: { simulationData } as object })

  test('is a PDF made from the inputs, whatever the browser claims', async () => {
    const claimed = { productionAnnuelle: 999_999, roi: 0.1, economiesAnnuelles: 888_888, co2Evite: null }
    const answer = await report({ ...INPUT, ...claimed })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('application/pdf')
    expect(answer.headers['content-disposition']).toContain('rapport-simulation-voisol.pdf')
    const text = extractPdfText(answer.rawPayload).replaceAll('\u00a0', ' ')
    expect(answer.rawPayload.length).toBeLessThan(300_000)
    expect(text).toContain('79 200')
    expect(text).toContain('heure par heure')
    expect(text).toContain('Auvergne-Rhône-Alpes')
    expect(text).not.toMatch(/999 999|888 888|□/)
  })

  test('is refused without inputs that can be read, and throttled', async () => {
    expect((await report({ puissanceInstallee: 'beaucoup' })).statusCode).toBe(422)
    const { rows } = await server.deps.aside.$client.query('select count from throttles where key like $1', [
      'simulator report%',
    ])
    expect(rows).toEqual([])
    await server.deps.aside.$client.query(
      "insert into throttles (key, count, resets_at) values ('simulator report 127.0.0.1', 30, now() + interval '1 hour')",
    )
    expect((await report(INPUT)).statusCode).toBe(429)
  })
})
