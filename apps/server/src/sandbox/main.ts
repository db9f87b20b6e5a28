import { parseArgs } from 'node:util'
import { isDay } from '@voisol/energy/calendar'
import { createAgreements } from './agreements.ts'
import { momentOf } from './clock.ts'
import { demoWorld } from './demo.ts'
import { listen } from './listen.ts'
import { createQuotas } from './quotas.ts'
import { openStore } from './store.ts'
import { createWorld } from './world.ts'

/** The distributor's interfaces, played by a process of its own: its failures are then real ones. */
const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    store: { type: 'string' },
    anchor: { type: 'string' },
    'no-demo': { type: 'boolean', default: false },
    'no-quotas': { type: 'boolean', default: false },
    'with-parent': { type: 'boolean', default: false },
  },
})
if (values.anchor !== undefined && !isDay(values.anchor)) throw new RangeError(`--anchor ${values.anchor} is not a day`)

const store = openStore(values.store)
const demo = values['no-demo'] ? undefined : demoWorld(values.anchor ?? momentOf(Date.now()).today)
const world = createWorld(store, demo?.source)
const agreements = createAgreements(store, world, demo)
const counters = { calls: 0, byPath: {}, byStatus: {} }
const parts = { store, world, agreements, counters, quotas: createQuotas(store, values['no-quotas']) }
const { server, port } = await listen(parts, values.host, Number(values.port))

function end() {
  store.save()
  server.close()
  server.closeAllConnections()
  process.exit(0)
}
process.once('SIGTERM', end)
process.once('SIGINT', end)
if (values['with-parent']) process.stdin.resume().once('close', end)

console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }))
