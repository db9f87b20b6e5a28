import { parseArgs } from 'node:util'
import { openPersistentState } from '../simulator-store.ts'
import { listenPaymentSimulator } from './payment-api.ts'
import { PaymentSimulatorState } from './payment-state.ts'

/** An online payment provider, simulated in a separate process: its pages, messages and faults are real ones. */
const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    store: { type: 'string' },
    'with-parent': { type: 'boolean', default: false },
  },
})
const store = openPersistentState(values.store, (held) => PaymentSimulatorState.parse(held))
const { url, close } = await listenPaymentSimulator(store, values.host, Number(values.port))

function end() {
  store.save()
  close()
  process.exit(0)
}
process.once('SIGTERM', end)
process.once('SIGINT', end)
if (values['with-parent']) process.stdin.resume().once('close', end)

console.log(JSON.stringify({ url }))
