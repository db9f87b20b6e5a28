// The day that visitors move along on the home page, read from a running demo: npm run screenshots writes it with the pictures.
import { writeFile } from 'node:fs/promises'

const base = process.env.BASE_URL ?? 'http://127.0.0.1:3000'
const TILLEULS = '7c1f5a10-3b52-4e0a-9d41-5a2b7c8e1f01'
const OUT = 'apps/web/src/site/day'

/** The last June that is over, as in the pictures. */
const now = new Date()
const day = `${now.getUTCFullYear() - (now.getUTCMonth() < 7 ? 1 : 0)}-06-11`

async function call(path, options = {}) {
  const answer = await fetch(base + path, options)
  if (!answer.ok) throw new Error(`${path} : ${answer.status}`)
  return answer.json()
}

const { token } = await call('/api/auth/login', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'admin@demo.voisol.fr', password: 'soleil-partage-demo' }),
})
const read = (path) => call(path, { headers: { authorization: `Bearer ${token}` } })

const { name } = await read(`/api/acc-operations/${TILLEULS}`)
const { items: runs } = await read(`/api/acc-operations/${TILLEULS}/allocation-runs?size=100`)
const run = runs.find(({ from, to, daysInForce }) => from <= day && day < to && daysInForce > 0)
if (!run) throw new Error(`Aucun calcul ne vaut pour le ${day}.`)
const { points } = await read(`/api/allocation-runs/${run.id}/days/${day}`)

const flatsFirst = (a, b) =>
  a.label.startsWith('Parties') - b.label.startsWith('Parties') ||
  a.label.localeCompare(b.label, 'fr', { numeric: true })
const producers = points.filter(({ direction }) => direction === 'production')
const neighbours = points.filter(({ direction }) => direction === 'consumption').sort(flatsFirst)
const production = producers[0].total.map((_, index) =>
  producers.reduce((sum, { total }) => sum + (total[index] ?? 0), 0),
)

/** A series on a line of its own: a change of the demo is then a change of one line. */
const series = (values) => values.map((value) => value ?? 0).join(' ')
const write = (name, value) => writeFile(`${OUT}/${name}.json`, `${JSON.stringify(value, null, 2)}\n`)
const sumOf = (key) => production.map((_, index) => neighbours.reduce((sum, one) => sum + (one[key][index] ?? 0), 0))
await write('totals', {
  day,
  operation: name,
  production: series(production),
  shared: series(sumOf('local')),
  consumed: series(sumOf('total')),
})
await write(
  'neighbours',
  neighbours.map(({ label, total, local }) => ({
    name: label.split(',')[0],
    consumed: series(total),
    received: series(local),
  })),
)
console.log(`${OUT} : ${production.length} quarts d’heure, ${neighbours.length} voisins`)
