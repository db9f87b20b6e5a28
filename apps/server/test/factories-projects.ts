import { projects } from '@voisol/contract/projects'
import { call, type TestServer } from './client.ts'

let count = 0
const buildPlaceNearby = (n: number) => ({ latitude: 45.76 + n / 1000, longitude: 4.85 })

export const buildRoofLine = (more = {}) => ({
  building: 'Bâtiment A',
  peakWatts: 36_000,
  azimuth: 180,
  tilt: 30,
  ...buildPlaceNearby(0),
  ...more,
})
export const buildCandidateLine = (n = ++count, more = {}) => ({
  name: `Voisin ${n}`,
  email: '',
  kind: 'person',
  prm: `1999900000${String(n).padStart(4, '0')}`,
  profile: 'household',
  yearlyKwh: 3000,
  pointId: null,
  ...buildPlaceNearby(n % 5),
  ...more,
})

/** A project created with the short form, plus the given fields. */
export async function makeProject(server: TestServer, token: string, more: Record<string, unknown> = {}) {
  const body = { name: `Les Cèdres ${++count}`, kind: 'coownership', postalCode: '69003', ...more }
  const answer = await call(server, projects.create, { body }, { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const UPDATE_FIELDS = [
  'name',
  'kind',
  'description',
  'address',
  'postalCode',
  'city',
  'latitude',
  'longitude',
  'perimeter',
  'zone',
  'localPrice',
  'gridPrice',
  'surplusPrice',
  'investmentPerKwc',
  'yearlyCosts',
  'method',
  'targetOn',
  'roofs',
  'candidates',
  'steps',
  'version',
]
/** The body of an update for a project that was read. */
export const buildProjectUpdate = (project: Record<string, unknown>, change: Record<string, unknown> = {}) => ({
  ...Object.fromEntries(UPDATE_FIELDS.map((name) => [name, project[name]])),
  ...change,
})
