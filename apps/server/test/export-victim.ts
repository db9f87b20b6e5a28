import { pino } from 'pino'
import { loadConfig } from '../src/config.ts'
import { openDeps } from '../src/deps.ts'
import { runExport } from '../src/features/admin/exports/run-export.ts'

/** A process that exports, and blocks after some parts, to be killed there. */
const [url = '', dataDir = '', companyId = '', id = '', parts = ''] = process.argv.slice(2)
const { deps } = openDeps(
  loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }),
  url,
  pino({ level: 'silent' }),
)
const { compute } = deps
let done = 0
deps.compute = async (...asked) => {
  if (done++ === Number(parts)) {
    console.log('here')
    await new Promise(() => setInterval(() => {}, 1000))
  }
  return compute(...asked)
}
await runExport(deps, { companyId: Number(companyId), id }, { signal: new AbortController().signal })
