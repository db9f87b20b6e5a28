import { parseArgs } from 'node:util'
import { listenWeatherSimulator } from './weather-api.ts'

/** A weather provider, simulated in a separate process: its delays and faults are real ones. */
const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    'with-parent': { type: 'boolean', default: false },
  },
})
const { url, close } = await listenWeatherSimulator(values.host, Number(values.port))

function end() {
  close()
  process.exit(0)
}
process.once('SIGTERM', end)
process.once('SIGINT', end)
if (values['with-parent']) process.stdin.resume().once('close', end)

console.log(JSON.stringify({ url }))
