import { parseArgs } from 'node:util'
import { isDay } from '@voisol/energy/calendar'
import { createAgreementService } from './agreements.ts'
import { createDemoMeterSource } from './demo-meters.ts'
import { listenEnedisSimulator } from './listen.ts'
import { createMeterRegistry } from './meter-registry.ts'
import { openSimulatorStore, toMoment } from './simulator-store.ts'
import { createSimulatorQuotas } from './tokens-and-quotas.ts'

/** The distributor's interfaces, simulated in a separate process, so that failures are real ones. */
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

const store = openSimulatorStore(values.store)
const demo = values['no-demo'] ? undefined : createDemoMeterSource(values.anchor ?? toMoment(Date.now()).today)
const world = createMeterRegistry(store, demo?.source)
const agreements = createAgreementService(store, world, demo)
const counters = { calls: 0, byPath: {}, byStatus: {} }
const parts = { store, world, agreements, counters, quotas: createSimulatorQuotas(store, values['no-quotas']) }
const { server, port } = await listenEnedisSimulator(parts, values.host, Number(values.port))

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
